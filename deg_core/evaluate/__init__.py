"""How good a checkpoint is: records in, outcomes and a report with intervals out; and fitting its temperatures."""
