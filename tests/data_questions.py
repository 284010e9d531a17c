"""Questions of our own over the seed abstracts, with what the answers must hold; they stand in for evaluation data."""

from __future__ import annotations

GENZSL = "GenZSL: Generative Zero-Shot Learning Via Inductive Variational Autoencoder"
RSD = "Reward-Guided Speculative Decoding for Efficient LLM Reasoning"
SWARMS = "Model Swarms: Collaborative Search to Adapt LLM Experts via Swarm Intelligence"
TPP = "Residual TPP: A Unified Lightweight Approach for Event Stream Data Analysis"
MEMORY = "Memory Layers at Scale"
APM = "An All-Atom Generative Model for Designing Protein Complexes"
LENGTH = "Provable Length Generalization in Sequence Prediction via Spectral Filtering"
GOLIATH = "David and Goliath: Small One-step Model Beats Large Diffusion with Score Post-training"
IBC = "IBCircuit: Towards Holistic Circuit Discovery with Information Bottleneck"
XAI = "Position: Explainable AI Cannot Advance Without Better User Studies"

# question, title of the paper that answers it, words of which each group must hold one
ANSWERED = [
    ("What kind of autoencoder does GenZSL use?", GENZSL, [["variational autoencoder"]]),
    ("By how much does RSD improve accuracy on average?", RSD, [["3.5"]]),
    ("Which paper adapts experts by moving them together in weight space?", SWARMS, [["weight space"]]),
    ("What is RED in Residual TPP?", TPP, [["Residual Events Decomposition"]]),
    ("Where are the gains of memory layers largest?", MEMORY, [["factual"]]),
    ("Which paper designs protein complexes with binding capabilities?", APM, [["protein"]]),
    ("How is length generalization achieved for linear dynamical systems?", LENGTH, [["gradient-based"]]),
    ("How many parameters does the FLUX-dev model have?", GOLIATH, [["12B"]]),
    ("What is IBCircuit?", IBC, [["circuit"]]),
    ("Why are user studies key to explainable AI?", XAI, [["because"]]),
]

REFUSED = [
    "What is the boiling point of water?",
    "Who wrote Don Quixote?",
    "Which paper studies coral reef bleaching?",
    "How does insulin regulate blood glucose?",
    "Which of these papers is about medieval poetry?",
    "What batch size was used by GenZSL?",
]
