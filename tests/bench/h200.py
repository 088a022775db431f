#!/usr/bin/env python3
"""Machine h200 predicts the transforms that an H200 was measured with: nine tenths of them within 25%.

usage: h200.py SOURCE WEFT
"""

import json
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "cli"))
from expectations import finish, require  # noqa: E402

source, weft = Path(sys.argv[1]), sys.argv[2]
measured = json.loads((source / "bench" / "results" / "gpu_h200.json").read_text(encoding="utf-8"))

ratios = {}
for one in measured["timing"]["transforms"]:
    words = one["plan"].split("; ")
    kept = [word for word in words[1:] if word.split("=")[0] in ("via", "pack", "space", "engine")]
    done = subprocess.run([weft, "predict", "; ".join([words[0], "decomposition=single", *kept]), "--machine", "h200",
                           "--ranks", "1", "--device-arrays", "--json"], capture_output=True, text=True, check=False)
    require(done.returncode == 0, f"{one['what']}: {done.stderr.strip()}")
    if done.returncode == 0:
        ratios[one["what"]] = json.loads(done.stdout)["predictions"][0]["seconds"] / one["weft_s"]
        print(f"{one['what']:45} predicted over measured {ratios[one['what']]:.2f}")
near = [what for what, ratio in ratios.items() if 0.8 <= ratio <= 1.25]
require(len(ratios) >= 25, f"only {len(ratios)} transforms")
require(10 * len(near) >= 9 * len(ratios), f"only {len(near)} of {len(ratios)} are within 25%")
finish()
