"""``deg conform``: whether a registered family, head or array decoder keeps what its protocol promises."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from deg_core.conformance.catalogue import KIND_NAMES
from deg_core.conformance.report import Report, Status
from deg_core.conformance.run import Conformance
from deg_serve.cli import exits
from deg_serve.cli.output import print_json

_MARKS = {Status.PASSED: "ok  ", Status.FAILED: "FAIL", Status.SKIPPED: "skip"}


@click.command()
@click.argument("name")
@click.option("--kind", type=click.Choice(list(KIND_NAMES)), help="Which is meant, if NAME stands for several things.")
@click.option(
    "--snapshot",
    type=click.Path(exists=True, path_type=Path),
    help="A family's real weights, a folder or file; tiny random ones by default.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def conform(*, name: str, kind: str | None, snapshot: Path | None, as_json: bool) -> None:
    """Check that the plugin NAME (a family, head or array decoder) does what its protocol promises.

    Exit status: 0 everything that applies passed, 2 there is no such plugin, 3 something failed.
    """
    run = Conformance(name, kind=KIND_NAMES[kind] if kind is not None else None, snapshot=snapshot)
    try:
        if not as_json:
            _print_as_it_goes(run)
        report = run.report()
    finally:
        run.close()
    if as_json:
        print_json(report.as_dict())
    else:
        _print_findings(report)
    if not report.passed:
        sys.exit(exits.NOT_FILLED)


def _print_as_it_goes(run: Conformance) -> None:
    """A line for each check as it ends: on real weights some take a while."""
    entry = run.entry
    on = f", {run.weights}" if run.weights is not None else ""
    click.echo(f"{run.kind} {entry.name} of {entry.plugin} ({entry.path}){on}\n")
    for check in run.checks:
        result = run.check(check.name)
        note = f" ({result.reason})" if result.reason is not None else ""
        click.echo(f"{_MARKS[result.status]}  {result.check}: {result.promise}{note}")


def _print_findings(report: Report) -> None:
    for result in report.of(Status.FAILED):
        click.echo(f"\n{result.explain()}")
    counts = ", ".join(f"{len(report.of(status))} {status.value}" for status in Status if report.of(status))
    click.echo(f"\n{counts}")
