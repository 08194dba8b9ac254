"""Converters of public data sets, one file a set, found by name and imported when asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import cast

from deg_core.datagen.raw import Tally
from deg_core.errors import UnknownNameError
from deg_core.records.record import Record

_HERE = "deg_core.datagen.sources"


@dataclass(frozen=True, slots=True)
class Source:
    """A public set: the converter's module, the licence of the texts, whom to name, and the folder of its files."""

    module: str
    licence: str
    attribution: str
    folder: str


def _source(name: str, licence: str, attribution: str, *, folder: str = "") -> Source:
    return Source(f"{_HERE}.{name}", licence, attribution, folder or name)


SOURCES: dict[str, Source] = {
    "restaurant8k": _source("restaurant8k", "CC-BY-4.0", "RESTAURANTS-8K, PolyAI (Coope et al. 2020)"),
    "hwu64": _source("hwu64", "CC-BY-4.0", "NLU Evaluation Data (Liu et al. 2019)"),
    "sgd": _source("sgd", "CC-BY-SA-4.0", "Schema-Guided Dialogue, Google Research (Rastogi et al. 2020)"),
    "multidogo": _source("multidogo", "CDLA-Permissive-1.0", "MultiDoGO, Amazon (Peskov et al. 2019)"),
    "ae110k": _source("ae110k", "Apache-2.0", "AE-110k product attributes (Xu et al. 2019), ExtractGPT subset"),
    "usaddress": _source("usaddress", "MIT", "usaddress labelled addresses, Atlanta Journal Constitution and DataMade"),
    "grobid": _source("grobid", "Apache-2.0", "GROBID training corpora (Lopez and contributors)"),
    "e2e": _source("e2e", "CC-BY-SA-4.0", "E2E NLG challenge, Heriot-Watt University (Novikova et al. 2017)"),
    "squad2": _source("squad2", "CC-BY-SA-4.0", "SQuAD 2.0 (Rajpurkar, Jia and Liang 2018)"),
    "banking77": _source("banking77", "CC-BY-4.0", "Banking77, PolyAI (Casanueva et al. 2020)"),
    "clinc150": _source("clinc150", "CC-BY-3.0", "CLINC150 (Larson et al. 2019)"),
    "boolq": _source("boolq", "CC-BY-SA-3.0", "BoolQ, Google AI Language (Clark et al. 2019)"),
    "sms_spam": _source("sms_spam", "CC-BY-4.0", "SMS Spam Collection (Almeida and Hidalgo 2011)"),
    "emobank": _source("emobank", "CC-BY-SA-4.0", "EmoBank, JULIE Lab (Buechel and Hahn 2017)"),
    "policyqa": _source("policyqa", "MIT", "PolicyQA (Ahmad et al. 2020)"),
    "probablepeople": _source("probablepeople", "MIT", "probablepeople labelled names, DataMade"),
    "ingredients": _source(
        "ingredients", "MIT", "ingredient-parser training data (Tom Strange), BBC and Cookstr lines"
    ),
    "dstc8_spans": _source("dstc8_spans", "CC-BY-4.0", "DSTC8 single-turn spans, PolyAI (Coope et al. 2020)"),
    "nlupp": _source("nlupp", "CC-BY-4.0", "NLU++ banking, PolyAI (Casanueva et al. 2022)"),
    "mams_absa": _source("mams_absa", "Apache-2.0", "MAMS (Jiang et al. 2019)"),
    "wnut17": _source("wnut17", "CC-BY-4.0", "WNUT-17 emerging entities (Derczynski et al. 2017)"),
    "btc": _source("btc", "CC-BY-4.0", "Broad Twitter Corpus (Derczynski, Bontcheva and Roberts 2016)"),
    "uner_ewt": _source("uner_ewt", "CC-BY-SA-4.0", "Universal NER on English EWT (Mayhew et al. 2024)"),
    "wikigold": _source("wikigold", "CC-BY-4.0", "WikiGold (Balasuriya et al. 2009)"),
    "sec_filings_ner": _source("sec_filings_ner", "CC-BY-3.0", "SEC filings NER (Salinas Alvarado et al. 2015)"),
    "strategyqa": _source("strategyqa", "MIT", "StrategyQA (Geva et al. 2021)"),
    "pubmedqa": _source("pubmedqa", "MIT", "PubMedQA (Jin et al. 2019)"),
    "legalbench_train": _source(
        "legalbench_train", "CC-BY-4.0, CC-BY-SA-4.0 and MIT by task", "LegalBench (Guha et al. 2023) and its tasks"
    ),
    "med_nli": _source("med_nli", "CC-BY-SA-4.0", "MED monotonicity entailment (Yanaka et al. 2019)"),
    "toxic_tweets": _source("toxic_tweets", "MIT", "Hate speech and offensive language (Davidson et al. 2017)"),
    "complex_lcp": _source("complex_lcp", "CC-BY-4.0", "CompLex (Shardlow et al. 2020)"),
    "onestop_levels": _source("onestop_levels", "CC-BY-SA-4.0", "OneStopEnglish (Vajjala and Lucic 2018)"),
    "qed_nq": _source("qed_nq", "CC-BY-SA-3.0", "QED and Natural Questions, Google Research (Lamm et al. 2021)"),
    "mts_dialog": _source("mts_dialog", "CC-BY-4.0", "MTS-Dialog (Ben Abacha et al. 2023)"),
    "ingredients_lists": _source(
        "ingredients_lists",
        "MIT",
        "ingredient-parser training data (Tom Strange), BBC and Cookstr lines",
        folder="ingredients",
    ),
    "mams_terms": _source("mams_terms", "Apache-2.0", "MAMS (Jiang et al. 2019)", folder="mams_absa"),
    "grobid_lists": _source(
        "grobid_lists", "Apache-2.0", "GROBID training corpora (Lopez and contributors)", folder="grobid"
    ),
    "wikitables": _source("wikitables", "CC-BY-SA-4.0", "WikiTableQuestions (Pasupat and Liang 2015), Wikipedia"),
    "taskmaster4": _source("taskmaster4", "CC-BY-4.0", "Taskmaster-4, Google Research (2024)"),
    "authored": _source("authored", "Apache-2.0", "texts, schemas and answers written for this project"),
}


def load_source(name: str, path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """The records of source ``name`` from its folder ``path``; ``tally`` counts the rows left out, by reason.

    Raises:
        UnknownNameError: no source of that name.
        RecordError: the folder does not hold the set's files.
    """
    if name not in SOURCES:
        raise UnknownNameError(f"no data source is called {name!r}; known: {', '.join(sorted(SOURCES))}")
    module = import_module(SOURCES[name].module)
    return cast("Iterator[Record]", module.load(path, tally=tally))
