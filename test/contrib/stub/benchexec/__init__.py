"""As much of BenchExec as a tool-info module sees, for machines without it. Written anew from its documentation."""
