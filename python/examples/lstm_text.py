"""Tells praise from blame in short reviews by an LSTM that reads them in both directions.

Reviews are composed of clauses such as "the plot was not really dull": "not" turns a word round, and what follows "but"
is what counts, so that the order of words decides. Shows a dataset of texts (`text.WhitespaceTokenizer`, `text.Vocab`,
`text.Lookup`), batches padded to their longest review, `nn.Embedding`, `nn.LSTM` with the lengths of sequences, and
gradients clipped by their norm. Batches differ in length; one graph serves all. Takes 8 seconds on two cores; the last
lines are

    steps: first 26 ms, later 6.6 ms (median)
    accuracy: 1.0000
"""

from __future__ import annotations

import argparse
import time
from statistics import median

import numpy as np

import emberjit as ms
import emberjit.dataset as ds
from emberjit import Tensor, nn, ops
from emberjit.dataset import text

SUBJECTS = ("plot", "music", "cast", "ending", "film", "dialogue", "photography", "beginning")
PRAISE = ("great", "moving", "clever", "lovely", "brilliant", "funny", "convincing")
BLAME = ("dull", "awful", "tedious", "flat", "clumsy", "predictable", "endless")
ADVERBS = ("really", "quite", "rather", "so", "truly")


def clause(rng: np.random.Generator, praises: bool) -> str:
    """A clause that praises or blames, with some negations and adverbs."""
    words, negated = ["the", str(rng.choice(SUBJECTS)), "was"], rng.random() < 0.4
    if negated:
        words.append("not")
    words.extend(rng.choice(ADVERBS, rng.integers(0, 3)))
    words.append(rng.choice(PRAISE if praises != negated else BLAME))
    return " ".join(words)


def compose(count: int, seed: int) -> list[tuple[str, int]]:
    """Reviews of one to five clauses, with 1 where the last ones, after the "but" if there is one, praise."""
    rng, rows = np.random.default_rng(seed), []
    for _ in range(count):
        label = int(rng.integers(2))
        other = [clause(rng, not label) for _ in range(rng.integers(0, 3))]
        counts = [clause(rng, bool(label)) for _ in range(rng.integers(1, 4))]
        parts = [" and ".join(part) for part in (other, counts) if part]
        rows.append((" but ".join(parts), label))
    return rows


def tokens(rows: list[tuple[str, int]]) -> ds.Dataset:
    """Words of reviews, and labels."""
    texts, labels = zip(*rows)
    data = ds.NumpySlicesDataset((list(texts), np.array(labels, np.int32)), ["text", "label"], shuffle=False)
    return data.map(text.WhitespaceTokenizer(), "text")


def batches(words: ds.Dataset, vocabulary: text.Vocab, batch: int) -> ds.Dataset:
    """Batches of the numbers of words, padded to the longest review of each, lengths, and labels."""
    data: ds.Dataset = words.map(text.Lookup(vocabulary, "<unknown>"), "text")
    data = data.map(lambda ids: (ids, np.int32(len(ids))), "text", ["text", "length"]).project(["text", "length", "label"])
    return data.padded_batch(batch, drop_remainder=True, pad_info={"text": ([None], 0)})


class Classifier(nn.Cell):
    """An embedding, an LSTM in both directions, and a dense layer over the last state of each."""

    def __init__(self, words: int, size: int = 32, hidden: int = 48) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, size, padding_idx=0)
        self.lstm = nn.LSTM(size, hidden, batch_first=True, bidirectional=True)
        self.dropout = nn.Dropout(p=0.2)
        self.dense = nn.Dense(2 * hidden, 2)

    def construct(self, ids: Tensor, lengths: Tensor) -> Tensor:
        _, (states, _) = self.lstm(self.embedding(ids), seq_length=lengths)
        forward, backward = states
        return self.dense(self.dropout(ops.cat([forward, backward], 1)))


def main(arguments: list[str] | None = None) -> float:
    """Trains, and returns the accuracy over reviews that were not trained with."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--reviews", type=int, default=6000, help="how many are trained with")
    parser.add_argument("--small", action="store_true", help="a run of a few seconds: 2 epochs of 2,500 reviews")
    options = parser.parse_args(arguments)
    epochs, count = (2, 2500) if options.small else (options.epochs, options.reviews)
    ms.set_seed(1)

    train_words, test_words = tokens(compose(count, 1)), tokens(compose(1000, 2))
    vocabulary = text.Vocab.from_dataset(train_words, "text", special_tokens=["<pad>", "<unknown>"], special_first=True)
    train_data = batches(train_words.shuffle(count), vocabulary, options.batch)
    test_data = batches(test_words, vocabulary, 100)
    print(f"{count} reviews of {len(vocabulary.vocab())} words, such as: {compose(1, 3)[0][0]}")

    net, loss_fn = Classifier(len(vocabulary.vocab())), nn.CrossEntropyLoss()
    optimizer = nn.Adam(net.trainable_params(), learning_rate=3e-3)

    def forward(ids: Tensor, lengths: Tensor, labels: Tensor) -> Tensor:
        return loss_fn(net(ids, lengths), labels)

    gradient = ms.value_and_grad(forward, None, optimizer.parameters)

    @ms.jit
    def step(ids: Tensor, lengths: Tensor, labels: Tensor) -> Tensor:
        loss, gradients = gradient(ids, lengths, labels)
        optimizer(ops.clip_by_global_norm(gradients, 1.0))
        return loss

    @ms.jit
    def predict(ids: Tensor, lengths: Tensor) -> Tensor:
        return net(ids, lengths).argmax(1)

    times = []
    for epoch in range(epochs):
        net.set_train()
        losses = []
        for ids, lengths, labels in train_data.create_tuple_iterator():
            start = time.perf_counter()
            losses.append(float(step(ids, lengths, labels)))
            times.append((time.perf_counter() - start) * 1e3)
        net.set_train(False)
        rows = test_data.create_tuple_iterator()
        accuracy = float(np.mean([(predict(ids, lengths) == labels).asnumpy() for ids, lengths, labels in rows]))
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}, accuracy {accuracy:.4f}")
    print(f"steps: first {times[0]:.0f} ms, later {median(times[1:]):.1f} ms (median)")
    print(f"accuracy: {accuracy:.4f}")
    return accuracy


if __name__ == "__main__":
    main()
