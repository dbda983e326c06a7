"""Says what happened to an SGLang server, why, and what to change, from the logs and snapshots that are left."""
