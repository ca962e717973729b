"""The column "printed" of the pages on fat cubes, CCCs and generalized hypercubes, typed by hand from the papers."""

import pytest

from fatcube.papers.ccc.claims import PAPER as CCC
from fatcube.papers.fat_cube.claims import PAPER as FAT_CUBE
from fatcube.papers.ghc.claims import PAPER as GHC
from tests.support.audits import stored

FAT_CUBE_CELLS = {
    "hypercube_symmetric": "node and edge symmetric",
    "derived_degree": "a small constant degree",
    "fat_cube_routers_one": "2^d (m + d f)^2",
    "hypercube_routers_d_port": "2^d' 4 d'^2",
    "hypercube_routers_transcribed_one": "2^d (1 + d)^2",
    "cheaper_routers_d_port": "d^2 (m + f)^2 <= 4 m (d + log m)^2",
    "cheaper_one_m2_f2": "d = 1",
    "store_and_forward_OAB_all_port": "D (= d)",
    "wormhole_OAB_all_port": "ceil(log P to the base d + 1) = ceil(d/log(d + 1))",
    "steps_beyond_diameter_d_port": "additional steps",
    "oab_cell_d_port_d2_m8": "5",
    "oab_theorem_all_port": "d (if m <= d) or d + 1 (if m > d)",
    "half_duplex_twice": "slowdown two",
    "overlap_sum_all_port": "= ceil((P - 1)/(d + m - 1))",
    "aas_d_port_overlap": "overlapping both global and local AAS is again possible",
    "example_bounds": "the lower bounds for d and * routers, i.e. 4 and 3 steps",
    "steps_FC_AAS_one": "9*",
    "aas_faster": "25% faster",
}
CCC_CELLS = {
    "cube_subsumes_trees": "subsumes",
    "processors": "k 2^d, with d = k = n",
    "links_per_processor": "exactly three",
    "cube_bisection": "2^(n-1) or N / 2",
    "average_distance_3_cube": "approximately 1.9",
    "average_distance_4_cube": "approximately 2",
    "average_distance_ccc_3": "3.25",
    "cube_path_lengths": "h of length h and (n - h) of length (h + 2)",
    "three_disjoint_paths": "three, for r > 2",
    "aab_bound_single": "N - 1",
    "aab_fewest_single": "n 2^n - 1",
    "oas_fewest_multiple": "(n - 1) / 3 (in Table 1 (N - 1) / 3)",
    "scatter_messages_single": "n - 1",
    "gray_code_is_not_adequate": "does not satisfy the condition (2)",
    "a4_sum": "[r1 / 2 + (n - r1 + 1)(r1 - 1) + 1 / 2] 2^n",
    "table_2_links": "3 and 1",
    "table_2_average_distance_3_cube": "1.9",
}
GHC_CELLS = {
    "links_dense": "(w - 1) d w^d",
    "binary_is_both": "a binary hypercube, which is simultaneously dense and sparse",
    "definition_dense": "exactly one coordinate i for which x_i (+) y_i = 1",
    "definition_sparse": "exactly one coordinate i for which y_i = x_i (+)w 1",
    "caption_of_figure_2": "w = 2 and d = 2, node (12)",
    "diameter_sparse": "[0, 1, ..., (w - 1) d], diameter (w - 1) d",
    "te_time_dense": "ceil(N / (w (w - 1)))",
    "theorem_1": "d w^(d-1)",
    "pascal": "the well-known Pascal triangle",
    "example_of_figure_3": "30",
    "lemma_3": "sum of i a_i = sum of i b_i",
    "cost_ratio_dense": "(w - 1) / log w times more",
    "cost_ratio_sparse": "log w times less",
    "te_loss": "(w - 1) times larger",
    "denser_than_binary": "more dense, w > 2",
    "times_achieved": "all of the lower bound complexities",
}


@pytest.mark.parametrize(("paper", "cells"), [(FAT_CUBE, FAT_CUBE_CELLS), (CCC, CCC_CELLS), (GHC, GHC_CELLS)])
def test_the_printed_column_holds_what_is_printed(paper, cells):
    assert {name: paper.find(name).printed for name in cells} == cells
    assert {row.name: row.printed for row in stored(paper.name) if row.name in cells} == cells
