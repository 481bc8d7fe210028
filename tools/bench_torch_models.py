"""One of PyTorch's models by one of torch.compile's backends: `bench_torch_models.py BACKEND MODEL KIND` prints a line."""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import torch

WARM, MEASURED = 4, 15  # calls
_SIZES = {
    "vocab_size": 1000,
    "hidden_size": 256,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "intermediate_size": 1024,
}


def _image(name: str, size: int, count: int) -> Callable[[], tuple[Any, Any]]:
    def build() -> tuple[Any, Any]:
        import torchvision

        return getattr(torchvision.models, name)(num_classes=10), torch.randn(count, 3, size, size)

    return build


def _text(name: str) -> Callable[[], tuple[Any, Any]]:
    def build() -> tuple[Any, Any]:
        import transformers as hf

        tokens = torch.randint(0, 999, (2, 64))
        if name == "bert":
            off = {"hidden_dropout_prob": 0, "attention_probs_dropout_prob": 0}
            return hf.BertModel(hf.BertConfig(**_SIZES, **off)), tokens
        if name == "gpt2":
            off = {"resid_pdrop": 0, "embd_pdrop": 0, "attn_pdrop": 0, "bos_token_id": 0, "eos_token_id": 1}
            sizes = {"vocab_size": 1000, "n_embd": 256, "n_layer": 4, "n_head": 4, "n_positions": 64}
            return hf.GPT2LMHeadModel(hf.GPT2Config(**sizes, **off)), tokens
        return hf.LlamaForCausalLM(hf.LlamaConfig(**_SIZES, num_key_value_heads=2)), tokens

    return build


MODELS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "resnet50": _image("resnet50", 112, 4),
    "mobilenet_v2": _image("mobilenet_v2", 112, 4),
    "vit_b_16": _image("vit_b_16", 224, 1),
    "swin_t": _image("swin_t", 112, 2),
    "convnext_tiny": _image("convnext_tiny", 112, 2),
    **{name: _text(name) for name in ("bert", "gpt2", "llama")},
}


def _result(output: Any) -> torch.Tensor:
    if isinstance(output, torch.Tensor):
        return output
    logits = getattr(output, "logits", None)
    return output[0] if logits is None else logits


def one(backend: str, name: str, kind: str) -> dict[str, Any]:
    """Seconds of the first call, and of a warm one: the median and the least."""
    torch.manual_seed(0)
    model, x = MODELS[name]()
    model.train(kind == "training")
    run = model if backend == "eager" else torch.compile(model, backend=_backend(backend))

    def step() -> None:
        if kind == "training":
            model.zero_grad()
            _result(run(x)).float().square().mean().backward()
        else:
            with torch.no_grad():
                run(x)

    times = []
    for _ in range(1 + WARM + MEASURED):
        begun = time.perf_counter()
        step()
        times.append(time.perf_counter() - begun)
    warm = times[1 + WARM :]
    return {"first": times[0], "warm": statistics.median(warm), "least": min(warm)}


def _backend(name: str) -> Any:
    if name != "emberjit":
        return name
    from emberjit import torch_backend

    return torch_backend.backend


if __name__ == "__main__":
    about = dict(zip(("system", "model", "kind"), sys.argv[1:]))
    print(json.dumps({**about, **one(*sys.argv[1:])}))
