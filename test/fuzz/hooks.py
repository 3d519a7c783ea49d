"""Hooks of schemathesis: what a request needs beside its schema to reach more than the first check."""

import os

import schemathesis

OWN_KEY = os.environ["FUZZ_KEY_ID"]


@schemathesis.hook
def filter_case(context, case):
    """The run's own key must not be revoked by the run."""
    return (case.path_parameters or {}).get("keyId") != OWN_KEY
