"""Model.fit that goes on from FILE if there is one, and prints a line for each step: python killed_fit.py FILE KIND."""

import hashlib
import os
import sys
from pathlib import Path

import numpy as np

import emberjit as ms
from emberjit import amp, mint, nn, ops, train
from emberjit import dataset as ds
from emberjit.experimental import optim

path, kind = Path(sys.argv[1]), sys.argv[2]
ROWS = np.random.default_rng(0).standard_normal((22, 3)).astype(np.float32)


class Source:
    def __getitem__(self, at):
        return ROWS[at], ROWS[at].sum(keepdims=True)

    def __len__(self):
        return len(ROWS)


def augmented(x):
    return (x + np.random.standard_normal(3) * 0.01).astype(np.float32)


def in_groups(parameters):
    weights, biases = ([one for one in parameters if ("weight" in one.name) == kept] for kept in (True, False))
    return [{"params": weights, "lr": 0.02, "weight_decay": 0.01}, {"params": biases}]


ms.set_seed(1)
forked = {"num_parallel_workers": 2, "python_multiprocessing": True}
data = ds.GeneratorDataset(Source(), ["x", "y"], shuffle=True, **(forked if kind == "mint" else {}))
data = data.map(augmented, "x", **forked)
sometimes = ds.transforms.RandomApply([lambda x: x * np.float32(2)], 0.5)
data = data.map(sometimes, "x", num_parallel_workers=2).shuffle(8).batch(4)
net = nn.SequentialCell(nn.Dense(3, 8), nn.Dropout(p=0.5), nn.Dense(8, 1))
groups = in_groups(net.trainable_params())
schedulers = []
if kind == "experimental":
    optimizer = optim.Adam(groups, lr=0.01)
    halves = [optim.lr_scheduler.LinearLR(optimizer), optim.lr_scheduler.StepLR(optimizer, 1)]
    schedulers = [optim.lr_scheduler.SequentialLR(optimizer, halves, [2])]
elif kind == "mint":
    optimizer = mint.optim.AdamW(groups, lr=0.01, amsgrad=True)
else:
    groups[1]["lr"] = nn.CosineDecayLR(0.001, 0.1, 12)
    optimizer = nn.Adam(groups, 0.01)
manager = amp.DynamicLossScaleManager(2.0**126, 2, 3)


class Loss(nn.Cell):
    def construct(self, found, wanted):
        return ((found - wanted) ** 2).mean()


model = ms.Model(net, Loss(), optimizer, {"loss"}, loss_scale_manager=manager)
history, early = train.History(), train.EarlyStopping(patience=9, restore_best_weights=True)
parts = {"model": model, "schedulers": {"all": [*schedulers, ms.Generator()]}, "callbacks": [history, early]}


class Saving(train.Callback):
    def on_train_step_end(self, run_context):
        train.save_training(path, **parts)
        print(run_context.original_args().cur_step_num, flush=True)

    def on_train_epoch_end(self, run_context):
        for scheduler in schedulers:
            scheduler.step()


if os.path.exists(path):
    train.load_training(path, **parts)
checkpoint = train.ModelCheckpoint("net", str(path.parent / "checkpoints"), train.CheckpointConfig(2, keep_checkpoint_max=3))
model.fit(3, data, data.take(2), callbacks=[checkpoint, history, early, Saving()])
assert ms.load_checkpoint(checkpoint.latest_ckpt_file_name)
held = [*model.train_network.get_parameters(), *(group["lr"] for group in getattr(optimizer, "param_groups", ()))]
held += early.best_weights_param_dict.values()
noted = [manager.state_dict(), history.history, history.epoch, early.best, early.wait]
state = b"".join(one.asnumpy().tobytes() for one in held) + repr(noted).encode()
print(hashlib.sha256(state + ops.standard_normal((2,)).asnumpy().tobytes()).hexdigest())
