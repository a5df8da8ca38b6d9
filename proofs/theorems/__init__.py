"""Theorems the package rests on: the transforms, the rewrite rules, tiled softmax."""
