# PyTorch's side of the training step: GRU encoder and decoder, dot attention, concat, Adam.
# Arguments: threads B T V H. Prints "ready", then the milliseconds of one step for every line read.
import sys, time
import torch, torch.nn as nn, torch.nn.functional as F

threads, B, T, V, H = map(int, sys.argv[1:6])
torch.set_num_threads(threads)
torch.manual_seed(0)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.source, self.target = nn.Embedding(V, H), nn.Embedding(V, H)
        self.encoder, self.decoder = nn.GRU(H, H, batch_first=True), nn.GRU(H, H, batch_first=True)
        self.output = nn.Linear(2 * H, V)

    def forward(self, x, y):
        memory, state = self.encoder(self.source(x))
        states, _ = self.decoder(self.target(y), state)
        weights = F.softmax(states @ memory.transpose(1, 2), -1)
        return self.output(torch.cat([states, weights @ memory], -1))


model = Model()
optimizer = torch.optim.Adam(model.parameters(), 1e-3)
x, y, t = (torch.randint(4, V, (B, T)) for _ in range(3))


def step():
    optimizer.zero_grad()
    F.cross_entropy(model(x, y).view(-1, V), t.view(-1)).backward()
    optimizer.step()


def timed(runs):
    start = time.perf_counter()
    for _ in range(runs):
        step()
    return (time.perf_counter() - start) * 1e3 / runs


# As serve.ts does: warm up for a while, then time short steps several at once.
began, runs = time.perf_counter(), 0
while runs < 2 or time.perf_counter() - began < 4:
    step()
    runs += 1
repeat = max(1, round(1.0 * runs / (time.perf_counter() - began)))
print("ready", flush=True)
for _ in sys.stdin:
    print(timed(repeat), flush=True)
