"""Run `snakemake --lint`; fail on every finding that is not accepted below."""

import re
import subprocess
import sys
from pathlib import Path

ACCEPTED = {
    # requirements.lock pins and hashes all that a rule needs; every rule runs the engine alone.
    "Specify a conda environment or container for each rule.",
}


def main() -> None:
    command = [str(Path(sys.executable).with_name("snakemake")), "--lint"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    findings = re.findall(r"^    \* (.*?):?$", done.stderr, re.MULTILINE)
    if done.returncode and not findings:
        sys.exit(done.stderr)  # no finding but a workflow that cannot be read
    if set(findings) - ACCEPTED:
        sys.exit(done.stderr)


if __name__ == "__main__":
    main()
