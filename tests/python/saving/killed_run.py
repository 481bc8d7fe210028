"""A training run that goes on from FILE if there is one, and prints a line for each step: python killed_run.py FILE."""

import hashlib
import os
import sys

import numpy as np

import emberjit as ms
from emberjit import amp, nn, train
from emberjit.dataset import NumpySlicesDataset

path = sys.argv[1]
STEPS = 12

ms.set_seed(1)
rows = np.random.default_rng(0).standard_normal((20, 3)).astype(np.float32)
data = NumpySlicesDataset((rows, rows.sum(1, keepdims=True)), ["x", "y"], shuffle=True).batch(4).create_tuple_iterator()
net = nn.SequentialCell(nn.Dense(3, 8), nn.Dropout(p=0.5), nn.Dense(8, 1)).set_train()
optimizer = nn.Adam(net.trainable_params(), nn.CosineDecayLR(0.001, 0.1, STEPS))
scaler = amp.DynamicLossScaler(1024.0, 2, 3)
parts = {"net": net, "optimizer": optimizer, "scaler": scaler, "data": data}
loss_of = ms.value_and_grad(lambda x, y: scaler.scale(((net(x) - y) ** 2).mean()), None, optimizer.parameters)

if os.path.exists(path):
    train.load_training(path, **parts)
while int(optimizer.global_step) < STEPS:
    for x, y in data:
        _, gradients = loss_of(x, y)
        optimizer(scaler.unscale(gradients))
        scaler.adjust(amp.all_finite(gradients))
        train.save_training(path, **parts)
        print(int(optimizer.global_step), flush=True)
        if int(optimizer.global_step) == STEPS:
            break
state = b"".join(p.get_bytes() for part in (net, optimizer) for p in part.get_parameters())
print(hashlib.sha256(state + repr((data.state_dict()["step"], scaler.scale_value.asnumpy())).encode()).hexdigest())
