"""Holds a compose file, as `docker-compose config` prints it, against the compose specification.

The client checks names, shapes and references, and interpolates; this reads the values: sizes,
durations, policies.
"""

import json
import sys

import yaml
from compose_spec import PyCompose

compose = yaml.safe_load(sys.stdin)
for service in compose["services"].values():
    # A number, says the specification; this reader takes only one with a point.
    if "cpus" in service:
        service["cpus"] = float(service["cpus"])
try:
    print("services:", *PyCompose.from_json(json.dumps(compose)).service_names())
except ValueError as fault:
    sys.exit(f"compose.py: {fault}")
