# PyTorch translates one sentence into 20 tokens, greedily: GRU, dot attention, concat output over 8,000 words, one thread.
import sys, time
import torch, torch.nn as nn, torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(0)
V, H, STEPS = 8000, 256, 20
source, target = nn.Embedding(V, H), nn.Embedding(V, H)
encoder, decoder = nn.GRU(H, H, batch_first=True), nn.GRU(H, H, batch_first=True)
output = nn.Linear(2 * H, V)
ids = torch.tensor([[4 + (i * 997) % 7996 for i in range(20)]])


@torch.no_grad()
def translate():
    memory, state = encoder(source(ids))
    token = torch.tensor([[2]])
    for _ in range(STEPS):
        out, state = decoder(target(token), state)
        weights = F.softmax(out @ memory.transpose(1, 2), -1)
        logits = F.log_softmax(output(torch.cat([out, weights @ memory], -1)), -1)
        token = logits.argmax(-1)


began = time.perf_counter()
while time.perf_counter() - began < 4:
    translate()
print("ready", flush=True)
for _ in sys.stdin:
    start = time.perf_counter()
    translate()
    print((time.perf_counter() - start) * 1e3, flush=True)
