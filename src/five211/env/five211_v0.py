"""5211 by the name under which PettingZoo knows it: `from five211.env import five211_v0`."""

from five211.env.pettingzoo import env, parallel_env, raw_env

__all__ = ["env", "parallel_env", "raw_env"]
