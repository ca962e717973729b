"""Kutálek and Dvořák: fat cubes."""
