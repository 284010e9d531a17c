"""`python training/minilm_graph.py`: writes the ONNX graph of the bundled encoder, without its weights.

The graph is that of BERT (Devlin et al., 2019) with mean pooling and length 1, as sentence-transformers runs it. Its
initializers are empty: at run time they are filled with the weights of the pinned package, so nothing is kept twice.
Needs the package `onnx`; the sizes are those of all-MiniLM-L6-v2.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

LAYERS, HEADS, WIDTH, INNER, WORDS, PLACES = 6, 12, 384, 1536, 30_522, 512
EPSILON = 1e-12
TARGET = Path(__file__).resolve().parents[1] / "rag/citewell/models/minilm/graph.onnx"


class Graph:
    """Nodes, and the names and shapes of the weights that they read."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: dict[str, tuple[int, ...]] = {}
        self.constants: list[onnx.TensorProto] = []

    def add(self, kind: str, *inputs: str, **attributes: object) -> str:
        """The output of a new node."""
        name = f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def weight(self, name: str, *shape: int) -> str:
        self.weights[name] = shape
        return name

    def constant(self, values: object, kind: type[np.generic]) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(values, dtype=kind), name))
        return name

    def linear(self, hidden: str, name: str, size: int, out: int) -> str:
        """Weights of linear layers are handed over transposed."""
        product = self.add("MatMul", hidden, self.weight(f"{name}.weight", size, out))
        return self.add("Add", product, self.weight(f"{name}.bias", out))

    def normed(self, hidden: str, name: str) -> str:
        scale, bias = self.weight(f"{name}.weight", WIDTH), self.weight(f"{name}.bias", WIDTH)
        return self.add("LayerNormalization", hidden, scale, bias, axis=-1, epsilon=EPSILON)

    def heads(self, hidden: str, name: str, order: list[int]) -> str:
        split = self.constant([0, 0, HEADS, WIDTH // HEADS], np.int64)
        return self.add("Transpose", self.add("Reshape", self.linear(hidden, name, WIDTH, WIDTH), split), perm=order)

    def layer(self, hidden: str, mask: str, name: str) -> str:
        own = f"{name}.attention.self"
        query = self.heads(hidden, f"{own}.query", [0, 2, 1, 3])
        key = self.heads(hidden, f"{own}.key", [0, 2, 3, 1])
        value = self.heads(hidden, f"{own}.value", [0, 2, 1, 3])
        scale = self.constant((WIDTH // HEADS) ** -0.5, np.float32)
        scores = self.add("Add", self.add("Mul", self.add("MatMul", query, key), scale), mask)
        mixed = self.add("MatMul", self.add("Softmax", scores, axis=-1), value)
        joined = self.add(
            "Reshape", self.add("Transpose", mixed, perm=[0, 2, 1, 3]), self.constant([0, 0, WIDTH], np.int64)
        )
        dense = self.linear(joined, f"{name}.attention.output.dense", WIDTH, WIDTH)
        hidden = self.normed(self.add("Add", dense, hidden), f"{name}.attention.output.LayerNorm")
        inner = self.add("Gelu", self.linear(hidden, f"{name}.intermediate.dense", WIDTH, INNER))
        dense = self.linear(inner, f"{name}.output.dense", INNER, WIDTH)
        return self.normed(self.add("Add", dense, hidden), f"{name}.output.LayerNorm")

    def pooled(self, hidden: str, mask: str) -> str:
        """The mean over the real word pieces, of length 1."""
        weights = self.add("Unsqueeze", mask, self.constant([2], np.int64))
        axis = self.constant([1], np.int64)
        total = self.add("ReduceSum", self.add("Mul", hidden, weights), axis, keepdims=0)
        mean = self.add("Div", total, self.add("ReduceSum", weights, axis, keepdims=0))
        return self.add("LpNormalization", mean, axis=-1, p=2)


def build() -> onnx.ModelProto:
    """The whole graph: `ids` and `mask`, shape `(texts, pieces)`, to `vectors`, shape `(texts, 384)`."""
    graph = Graph()
    mask = graph.add("Cast", "mask", to=TensorProto.FLOAT)
    far = graph.add("Mul", graph.add("Sub", graph.constant(1.0, np.float32), mask), graph.constant(-1e9, np.float32))
    far = graph.add("Unsqueeze", far, graph.constant([1, 2], np.int64))
    words = graph.add("Gather", graph.weight("embeddings.word_embeddings.weight", WORDS, WIDTH), "ids")
    length = graph.add("Gather", graph.add("Shape", "ids"), graph.constant([1], np.int64))
    every = graph.weight("embeddings.position_embeddings.weight", PLACES, WIDTH)
    zero = graph.constant([0], np.int64)
    places = graph.add("Slice", every, zero, length, zero)
    kinds = graph.weight("embeddings.token_type_embeddings.weight", 2, WIDTH)
    kind = graph.add("Gather", kinds, graph.constant(0, np.int64))
    hidden = graph.normed(graph.add("Add", graph.add("Add", words, places), kind), "embeddings.LayerNorm")
    for number in range(LAYERS):
        hidden = graph.layer(hidden, far, f"encoder.layer.{number}")
    graph.nodes.append(helper.make_node("Identity", [graph.pooled(hidden, mask)], ["vectors"]))
    shape = ["texts", "pieces"]
    made = helper.make_graph(
        graph.nodes,
        "all-MiniLM-L6-v2",
        [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in ("ids", "mask")],
        [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["texts", WIDTH])],
        [*graph.constants, *(_outside(name, own) for name, own in graph.weights.items())],
    )
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def _outside(name: str, shape: tuple[int, ...]) -> onnx.TensorProto:
    """A weight that is handed over when the graph is loaded."""
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape, data_location=TensorProto.EXTERNAL)
    for key, value in (("location", "given"), ("offset", "0"), ("length", str(4 * int(np.prod(shape))))):
        tensor.external_data.add(key=key, value=value)
    return tensor


if __name__ == "__main__":
    TARGET.write_bytes(build().SerializeToString())
