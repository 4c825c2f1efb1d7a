"""For each folder in the one that is named: log P of ids.json by its model.py, what `model.py check` prints, two training
steps under DistributedDataParallel, the weights saved as trained.safetensors, and log P again.
Prints {folder: {before, checked, after}}."""
import contextlib
import importlib.util
import io
import json
import runpy
import sys
from pathlib import Path

import torch
from torch import distributed, nn

ROOT = Path(sys.argv[1])


def load_module(file):
    spec = importlib.util.spec_from_file_location(f"model_{file.parent.name}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def log_probabilities(model, ids):
    source, lengths, target = ids
    model.eval()
    with torch.no_grad():
        return model(source, lengths, target[:, :-1]).log_softmax(-1).flatten().tolist()


def run_check(file, ids):
    """What the command prints, without the seconds that another Python takes to load torch."""
    source, lengths, target = (values.tolist() for values in ids)
    given = {"source": source, "lengths": lengths, "target": [row[:-1] for row in target]}
    argv, stdin, printed = sys.argv, sys.stdin, io.StringIO()
    sys.argv, sys.stdin = [str(file), "check"], io.StringIO(json.dumps(given))
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(str(file), run_name="__main__")
    finally:
        sys.argv, sys.stdin = argv, stdin
    return json.loads(printed.getvalue())


def train(model, ids):
    source, lengths, target = ids
    parallel = nn.parallel.DistributedDataParallel(model.train())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    for _ in range(2):
        logits = parallel(source, lengths, target[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


torch.manual_seed(1)
torch.set_num_threads(1)
distributed.init_process_group("gloo", store=distributed.HashStore(), rank=0, world_size=1)
results = {}
for folder in sorted(path for path in ROOT.iterdir() if path.is_dir()):
    values = json.loads((folder / "ids.json").read_text())
    ids = [torch.tensor(values[name]) for name in ("source", "lengths", "target")]
    model = load_module(folder / "model.py").Seq2Seq().load()
    before, checked = log_probabilities(model, ids), run_check(folder / "model.py", ids)
    train(model, ids)
    model.save(folder / "trained.safetensors")
    results[folder.name] = {"before": before, "checked": checked, "after": log_probabilities(model, ids)}
print(json.dumps(results))
