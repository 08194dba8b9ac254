# syntax=docker/dockerfile:1
# deg serve on a processor, with the embedded weights inside: the container needs no network.
#   docker build -t deg .
#   docker run --rm -p 127.0.0.1:8790:8790 --memory 2g deg
# docs/how-to/deploy.md has keys, limits and other checkpoints.

ARG PYTHON=3.12

FROM python:${PYTHON}-slim AS build
# The compiler is for deg's kernels; without one deg would run on torch alone, a third as fast.
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
RUN python -m venv /opt/deg
ENV PATH=/opt/deg/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
# torch by itself and first: it is most of the image and changes least. A build for processors sorts above the other.
COPY constraints.txt ./
RUN pip install --constraint constraints.txt \
    --index-url https://download.pytorch.org/whl/cpu --extra-index-url https://pypi.org/simple torch
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY deg_core deg_core
COPY deg_backbones deg_backbones
COPY deg_heads deg_heads
COPY deg_serve deg_serve
RUN pip install --constraint constraints.txt '.[serve]'

FROM python:${PYTHON}-slim
LABEL org.opencontainers.image.title=deg org.opencontainers.image.licenses=Apache-2.0
RUN useradd --system --uid 10001 --home-dir /var/lib/deg --create-home --shell /usr/sbin/nologin deg
COPY --from=build /opt/deg /opt/deg
ENV PATH=/opt/deg/bin:$PATH DEG_HOME=/var/lib/deg/home PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
USER deg
WORKDIR /var/lib/deg
# Weights are fetched, checked and converted now, for reading and for writing, so that a start is quick and the file
# system may be read-only. The fill is also the proof that what was built works.
RUN deg models pull embedded \
    && echo '{"type": "object", "properties": {"a": {"type": "string", "x-generate": true, "x-max-tokens": 1}}}' \
       > warm.json \
    && echo 'A text.' | deg fill --schema warm.json --value-only - \
    && rm warm.json
ENV DEG_OFFLINE=1
EXPOSE 8790
STOPSIGNAL SIGTERM
# 503 while the server drains counts as unhealthy, so that a balancer sends nothing more.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8790/health', timeout=4)"]
# One process and one worker: a batch keeps the processors busy. SIGTERM finishes what was begun; stop with --time 40.
ENTRYPOINT ["deg"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8790", "--drain-s", "30"]
