"""Training and evaluation records: what one is, how it is stored, which split it is in, whether it holds."""

from deg_core.records.check import check_record
from deg_core.records.record import Record, Split
from deg_core.records.split import split_of
from deg_core.records.store import read_records, write_records

__all__ = ["Record", "Split", "check_record", "read_records", "split_of", "write_records"]
