"""Balances a pole on a cart by a policy gradient (Williams, 1992): reinforcement learning with the world written in
NumPy.

Sixteen carts run side by side; a jitted policy draws an action for each at every step of the world, so small calls are
most of the work. Shows such calls, a jitted step over a whole batch of episodes of any length, and a critic that is
trained with the policy and says what states are worth. Episodes end where the pole falls, or after 500 steps. Takes 6
seconds on two cores; the last lines are

    updates: first 24 ms, later 5.5 ms (median)
    an action: 0.018 ms (median)
    mean length of 100 episodes: 500.0 of 500
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

import numpy as np

import emberjit as ms
from emberjit import Tensor, nn, ops

GRAVITY, CART, POLE, HALF_LENGTH, FORCE, INTERVAL = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02


class CartPoles:
    """Carts on rails with a pole each: place, speed, angle, angular speed. Pushed left (0) or right (1) at every step."""

    def __init__(self, count: int, rng: np.random.Generator) -> None:
        self.states = rng.uniform(-0.05, 0.05, (count, 4))

    def step(self, actions: np.ndarray) -> np.ndarray:
        """Moves all; gives whether each stands: the pole within 12 degrees, the cart within 2.4 (Barto et al., 1983)."""
        _, speed, angle, turning = self.states.T
        push = np.where(actions == 1, FORCE, -FORCE)
        sine, cosine = np.sin(angle), np.cos(angle)
        total = CART + POLE
        drive = (push + POLE * HALF_LENGTH * turning**2 * sine) / total
        turn = (GRAVITY * sine - cosine * drive) / (HALF_LENGTH * (4 / 3 - POLE * cosine**2 / total))
        pull = drive - POLE * HALF_LENGTH * turn * cosine / total
        changes = np.stack([speed, pull, turning, turn], 1)
        self.states = self.states + INTERVAL * changes
        return (np.abs(self.states[:, 0]) < 2.4) & (np.abs(self.states[:, 2]) < np.radians(12))


class ActorCritic(nn.Cell):
    """Logits of the two actions, and what a state is worth: the reward that is still to come."""

    def __init__(self, hidden: int = 64) -> None:
        super().__init__()
        self.actor = nn.SequentialCell(nn.Dense(4, hidden), nn.Tanh(), nn.Dense(hidden, 2))
        self.critic = nn.SequentialCell(nn.Dense(4, hidden), nn.Tanh(), nn.Dense(hidden, 1))

    def construct(self, states: Tensor) -> tuple[Tensor, Tensor]:
        return self.actor(states), self.critic(states).squeeze(1)


def returns(alive: np.ndarray, discount: float) -> np.ndarray:
    """Of (time, cart): the sum of the rewards from each step on, of one each, later ones counting less."""
    sums, later = np.zeros(alive.shape, np.float32), np.zeros(alive.shape[1], np.float32)
    for t in reversed(range(len(alive))):
        later = alive[t] * (1 + discount * later)
        sums[t] = later
    return sums


def main(arguments: list[str] | None = None) -> float:
    """Trains, and returns the mean length of 100 episodes of the policy's likeliest actions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=80)
    parser.add_argument("--carts", type=int, default=16)
    parser.add_argument("--discount", type=float, default=0.99)
    parser.add_argument("--small", action="store_true", help="a run of a few seconds: 25 updates")
    options = parser.parse_args(arguments)
    updates = 25 if options.small else options.updates
    ms.set_seed(1)
    rng = np.random.default_rng(1)

    net = ActorCritic()
    optimizer = nn.Adam(net.trainable_params(), nn.CosineDecayLR(1e-4, 1e-2, updates))

    def loss(states: Tensor, actions: Tensor, sums: Tensor) -> Tensor:
        logits, worths = net(states)
        log_chances = ops.log_softmax(logits, 1)
        advantages = ops.stop_gradient(sums - worths)
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
        taken = log_chances.gather_elements(1, actions.expand_dims(1)).squeeze(1)
        entropy = -(log_chances.exp() * log_chances).sum(1).mean()
        return -(taken * advantages).mean() + 0.5 * ops.smooth_l1_loss(worths, sums, reduction="mean") - 0.01 * entropy

    gradient = ms.value_and_grad(loss, None, optimizer.parameters)

    @ms.jit
    def update(states: Tensor, actions: Tensor, sums: Tensor) -> Tensor:
        value, gradients = gradient(states, actions, sums)
        optimizer(gradients)
        return value

    @ms.jit
    def drawn(states: Tensor) -> Tensor:
        """An action for each state, at random as the policy says."""
        return ops.multinomial(ops.softmax(net(states)[0], 1), 1).squeeze(1)

    @ms.jit
    def likeliest(states: Tensor) -> Tensor:
        return net(states)[0].argmax(1)

    def play(policy: Callable[[Tensor], Tensor], carts: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """States, actions, and which steps still counted, by time and cart."""
        world, standing = CartPoles(carts, rng), np.ones(carts, bool)
        rows: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        while standing.any() and len(rows) < 500:
            states = world.states.astype(np.float32)
            start = time.perf_counter()
            actions = policy(Tensor(states)).asnumpy()
            calls.append((time.perf_counter() - start) * 1e3)
            rows.append((states, actions, standing))
            standing = standing & world.step(actions)
        states, actions, alive = (np.stack(column) for column in zip(*rows))
        return states, actions, alive

    times: list[float] = []
    calls: list[float] = []
    for i in range(updates):
        states, actions, alive = play(drawn, options.carts)
        sums = returns(alive, options.discount)
        start = time.perf_counter()
        update(Tensor(states[alive]), Tensor(actions[alive]), Tensor(sums[alive]))
        times.append((time.perf_counter() - start) * 1e3)
        if (i + 1) % (updates // 5) == 0:
            print(f"update {i + 1}: mean length {alive.sum(0).mean():.1f}")
    length = float(play(likeliest, 100)[2].sum(0).mean())
    print(f"updates: first {times[0]:.0f} ms, later {median(times[1:]):.1f} ms (median)")
    print(f"an action: {median(calls):.3f} ms (median)")
    print(f"mean length of 100 episodes: {length:.1f} of 500")
    return length


if __name__ == "__main__":
    main()
