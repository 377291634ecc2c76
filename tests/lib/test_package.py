# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package: Gymnasium's rules of the interface written out, and what the library promises."""

import copy
import dataclasses
import fcntl
import inspect
import os
import pickle
import re
import shutil
import subprocess
import sys
import unittest

import numpy as np

import nxn


def exact_value(shape, key):
    """A value of tests/vectors/exact.txt."""
    with open(os.path.join(os.environ["VECTORS"], "exact.txt"), encoding="ascii") as file:
        for line in file:
            if line.split()[:2] == [shape, key]:
                return float(line.split()[2])
    raise KeyError(key)


def random_moves(rng, mask):
    """A legal move for each row of MASK; 0 where there is none."""
    return (rng.random(mask.shape) * mask).argmax(axis=-1)


class GymnasiumRules(unittest.TestCase):
    """Of gymnasium.Env and gymnasium.vector.VectorEnv, version 1.0, as their documents state them."""

    def reset_is_repeatable(self, env, same):
        """A seed fixes the observation; without one, reset goes on and gives another game."""
        first, info = env.reset(seed=123)
        self.assertIsInstance(info, dict)
        state = env.np_random.bit_generator.state
        again, _ = env.reset(seed=123)
        self.assertEqual(state, env.np_random.bit_generator.state)
        np.testing.assert_array_equal(first, again)
        others = [env.reset()[0] for _ in range(10)]
        self.assertTrue(any(not np.array_equal(first, other) for other in others))
        twin, _ = same.reset(seed=123)
        np.testing.assert_array_equal(first, twin)
        env.reset(seed=5, options={})

    def test_env(self):
        env = nxn.Env("3x3")
        self.reset_is_repeatable(env, nxn.Env("3x3"))
        for name in ("observation_space", "action_space", "metadata", "render_mode", "spec", "unwrapped"):
            self.assertTrue(hasattr(env, name), name)
        self.assertIn("render_modes", env.metadata)
        self.assertEqual(env.observation_space.shape, (3, 3))
        self.assertEqual(env.observation_space.dtype, np.uint8)
        self.assertEqual(env.action_space.n, 4)
        env.action_space.seed(1)
        rng = np.random.default_rng(1)
        for _ in range(5):
            obs, info = env.reset()
            self.assertTrue(env.observation_space.contains(obs))
            total = 0.0
            while True:
                action = (env.action_space.sample() if rng.random() < 0.2
                          else int(random_moves(rng, info["action_mask"])))
                self.assertTrue(env.action_space.contains(action))
                before, legal = obs.copy(), info["action_mask"][action]
                result = env.step(action)
                self.assertIsInstance(result, tuple)
                self.assertEqual(len(result), 5)
                obs, reward, terminated, truncated, info = result
                self.assertTrue(env.observation_space.contains(obs))
                self.assertIsInstance(reward, float)
                self.assertIsInstance(terminated, bool)
                self.assertIsInstance(truncated, bool)
                self.assertIsInstance(info, dict)
                self.assertFalse(truncated)
                if not legal:
                    np.testing.assert_array_equal(before, obs)
                    self.assertEqual(reward, 0)
                total += reward
                self.assertEqual(info["score"], total)
                self.assertEqual(terminated, not info["action_mask"].any())
                if terminated:
                    break
            with self.assertRaisesRegex(nxn.Error, r"reset\(\)"):
                env.step(0)
        self.assertIsNone(env.render())
        env.close()

    def test_steps_are_repeatable(self):
        one, two = nxn.Env("4x4"), nxn.Env("4x4")
        _, info = one.reset(seed=9)
        two.reset(seed=9)
        rng = np.random.default_rng(2)
        for _ in range(50):
            action = int(random_moves(rng, info["action_mask"]))
            got, *rest, info = one.step(action)
            wanted, *other, twin = two.step(action)
            np.testing.assert_array_equal(got, wanted)
            self.assertEqual(rest, other)
            np.testing.assert_array_equal(info["action_mask"], twin["action_mask"])

    def test_vector_env(self):
        n = 6
        envs = nxn.VectorEnv("3x4", num_envs=n, seed=1)
        self.reset_is_repeatable(envs, nxn.VectorEnv("3x4", num_envs=n))
        self.assertEqual(envs.num_envs, n)
        self.assertEqual(envs.observation_space.shape, (n, 3, 4))
        self.assertEqual(envs.single_observation_space.shape, (3, 4))
        self.assertEqual(envs.action_space.shape, (n,))
        self.assertEqual(envs.single_action_space.n, 4)
        self.assertIn("autoreset_mode", envs.metadata)
        self.assertEqual(getattr(envs.metadata["autoreset_mode"], "value", envs.metadata["autoreset_mode"]),
                         "NextStep")
        envs.reset(seed=[7, 6, 7, 8, 9, 10])
        obs, info = envs.reset(seed=[7, None, 7, 8, 9, 10])
        for i, seed in ((0, 7), (2, 7), (5, 10)):  # each as the single environment of that seed
            np.testing.assert_array_equal(obs[i], nxn.Env("3x4").reset(seed=seed)[0])
        alone = nxn.Env("3x4")
        alone.reset(seed=6)
        np.testing.assert_array_equal(obs[1], alone.reset()[0])  # None goes on
        self.assertTrue(envs.observation_space.contains(obs))
        over = np.zeros(n, bool)
        score = np.zeros(n)
        rng = np.random.default_rng(3)
        ended = 0
        for _ in range(300):
            actions = random_moves(rng, info["action_mask"])
            self.assertTrue(envs.action_space.contains(actions))
            kept = obs.copy()
            new, rewards, terminations, truncations, info = envs.step(actions)
            np.testing.assert_array_equal(kept, obs)  # what was given before stays
            obs = new
            self.assertTrue(envs.observation_space.contains(obs))
            for array, kind in ((rewards, "f"), (terminations, "b"), (truncations, "b")):
                self.assertEqual(array.shape, (n,))
                self.assertEqual(array.dtype.kind, kind)
            self.assertEqual(info["action_mask"].shape, (n, 4))
            self.assertEqual(info["action_mask"].dtype, np.int8)
            self.assertTrue(info["_action_mask"].all())
            self.assertFalse(truncations.any())
            # Autoreset in the next step: reward 0, a position with two tiles, and not over.
            self.assertTrue(np.all(rewards[over] == 0))
            self.assertTrue(np.all((obs[over] > 0).sum(axis=(1, 2)) == 2))
            self.assertFalse(terminations[over].any())
            score = np.where(over, 0, score + rewards)
            np.testing.assert_array_equal(score, info["score"])
            np.testing.assert_array_equal(terminations, ~info["action_mask"].any(axis=1))
            over = terminations
            ended += int(over.sum())
        self.assertGreater(ended, n)
        envs.close()

    def test_reset_mask(self):
        """Only environments of the mask start again, with seeds of theirs, and the others stay."""
        envs = nxn.VectorEnv("3x3", 4)
        before, info = envs.reset(seed=3)
        for _ in range(3):
            before, *_, info = envs.step(info["action_mask"].argmax(axis=1))
        self.assertTrue((info["score"] >= 0).all() and info["score"].dtype == np.int64)
        mask = np.array([False, True, False, True])
        options = {"reset_mask": mask}
        obs, after = envs.reset(seed=[9, 8, None, None], options=options)
        self.assertIn("reset_mask", options)
        np.testing.assert_array_equal(obs[~mask], before[~mask])
        np.testing.assert_array_equal(after["score"], np.where(mask, 0, info["score"]))
        np.testing.assert_array_equal(obs[1], nxn.Env("3x3").reset(seed=8)[0])
        self.assertTrue(((obs[mask] > 0).sum(axis=(1, 2)) == 2).all())

    def goes_on(self, original, twin, agent):
        """TWIN does what ORIGINAL does, draws of the agent, ends of games and later games included."""
        for _ in range(120):
            moves = original.act(agent)
            np.testing.assert_array_equal(moves, twin.act(agent))
            got, wanted = twin.step(moves), original.step(moves)
            for one, other in zip(got[:4], wanted[:4]):
                np.testing.assert_array_equal(one, other)
            np.testing.assert_array_equal(got[4]["score"], wanted[4]["score"])
        np.testing.assert_array_equal(original.reset()[0], twin.reset()[0])

    def test_copies_and_pickles_go_on(self):
        agent = nxn.Agent("random")
        ways = [copy.copy, copy.deepcopy] + [
            lambda env, protocol=protocol: pickle.loads(pickle.dumps(env, protocol)) for protocol in range(2, 6)]
        for way in ways:
            envs = nxn.VectorEnv("2x3", 5, seed=4, spawn="2:0.8,4:0.2")
            before = way(envs)
            np.testing.assert_array_equal(envs.reset()[0], before.reset()[0])
            envs.step([0, 1, 2, 3, 0])
            before.step([0, 1, 2, 3, 0])
            self.goes_on(envs, way(envs), agent)
            env = nxn.Env("2x2", seed=8)
            _, info = env.reset()
            over = False
            while not over:
                _, _, over, _, info = env.step(int(np.argmax(info["action_mask"])))
            twin = way(env)
            for one in (env, twin):
                with self.assertRaisesRegex(nxn.Error, r"reset\(\)"):
                    one.step(0)
            np.testing.assert_array_equal(env.reset()[0], twin.reset()[0])

    def test_a_forged_state_is_refused(self):
        envs = nxn.VectorEnv("3x3", 2, seed=1)
        envs.reset()
        again, (game, n, state, _) = envs._envs.__reduce__()
        for says, n, forged in (("saved state", n, state[:-1]), ("saved state", 3, state), ("saved state", 2, b""),
                                ("saved state", 2**40, state), ("position", n, state[:-1] + b"\xff")):
            with self.assertRaisesRegex(nxn.Error, says):
                again(game, n, forged)

    def test_closed(self):
        envs = nxn.VectorEnv("2x2", 2, seed=1)
        envs.reset()
        envs.close()
        envs.close()
        for wrong in (envs.reset, lambda: envs.step([0, 0]), lambda: envs.act(nxn.Agent("random")),
                      lambda: copy.copy(envs)):
            with self.assertRaisesRegex(nxn.Error, "close"):
                wrong()

    def test_masked_samples_are_legal(self):
        env = nxn.Env("2x2", seed=1)
        _, info = env.reset()
        for _ in range(20):
            self.assertTrue(info["action_mask"][env.action_space.sample(info["action_mask"])])
        envs = nxn.VectorEnv("2x2", 5, seed=1)
        _, info = envs.reset()
        actions = envs.action_space.sample(tuple(info["action_mask"]))
        self.assertTrue(info["action_mask"][np.arange(5), actions].all())

    def test_render(self):
        env = nxn.Env(nxn.Game("2x2", start="0,2/16,0"), render_mode="ansi")
        env.reset()
        self.assertEqual(env.render(), " .  2\n16  .")
        self.assertIsNone(nxn.Env("2x2").render())
        envs = nxn.VectorEnv(nxn.Game("2x2", start="0,2/16,0"), 3, render_mode="ansi")
        envs.reset()
        self.assertEqual(envs.render(), (" .  2\n16  .",) * 3)

    def test_images(self):
        for shape in ("2x6", "4x4", "6x5"):
            env = nxn.Env(shape, seed=1, render_mode="rgb_array")
            obs, _ = env.reset()
            image = env.render()
            self.assertEqual((image.dtype, image.ndim, image.shape[2]), (np.uint8, 3, 3))
            self.assertGreaterEqual(min(image.shape[:2]), 400)
            # The colour below the upper edge of each cell: one colour an exponent.
            rows, cols = obs.shape
            pitch = image.shape[0] // rows
            colours = {}
            for r in range(rows):
                for c in range(cols):
                    colours.setdefault(int(obs[r, c]), set()).add(
                        tuple(image[r * pitch + pitch // 5, c * pitch + pitch // 2]))
            self.assertTrue(all(len(one) == 1 for one in colours.values()), colours)
            self.assertEqual(len(set().union(*colours.values())), len(colours))
            # A digit has another colour than its tile, and an empty cell has one colour.
            for r, c in zip(*np.nonzero(obs >= 0)):
                top, left = r * pitch + pitch // 4, c * pitch + pitch // 4
                tile = image[top:top + pitch // 2, left:left + pitch // 2].reshape(-1, 3)
                self.assertEqual(len(np.unique(tile, axis=0)) > 5, obs[r, c] > 0)
        pictures = nxn.VectorEnv("3x3", 2, seed=1, render_mode="rgb_array")
        pictures.reset()
        self.assertEqual(len(pictures.render()), 2)


class Environments(unittest.TestCase):
    def test_games_are_those_of_the_agent(self):
        """Environment i of n plays the games i, i + n, ... whatever n is."""
        wanted = nxn.Agent("random", "3x3").play(12, seed=4)
        for n in (1, 4):
            envs, agent = nxn.VectorEnv("3x3", n, seed=4), nxn.Agent("random")
            envs.reset()
            played, left = np.arange(n), 12
            while left:
                obs, _, over, _, info = envs.step(envs.act(agent))
                for i in np.flatnonzero(over):
                    if played[i] < 12:
                        self.assertEqual(info["score"][i], wanted.score[played[i]])
                        self.assertEqual(1 << int(obs[i].max()), wanted.max_tile[played[i]])
                        left -= 1
                    played[i] += n

    def test_random_games_have_the_exact_mean(self):
        """178.743854: tests/vectors/exact.txt. The first K games of each environment are played."""
        n, k = 2000, 10
        envs = nxn.VectorEnv("3x3", n, seed=11)
        _, info = envs.reset()
        rng = np.random.default_rng(11)
        scores, played = [], np.zeros(n, int)
        while (played < k).any():
            _, _, over, _, info = envs.step(random_moves(rng, info["action_mask"]))
            scores.append(info["score"][over & (played < k)])
            played += over
        score = np.concatenate(scores).astype(float)
        self.assertEqual(len(score), n * k)
        error = score.std() / np.sqrt(len(score))
        self.assertLess(abs(score.mean() - exact_value("3x3", "policy.random.score")), 4 * error)

    def test_threads_and_buffers_change_no_game(self):
        n = 300
        kinds = {"obs": (np.uint8, (n, 3, 3)), "rewards": (float, (n,)), "terminations": (bool, (n,)),
                 "action_mask": (np.int8, (n, 4)), "score": (np.int64, (n,))}
        mine = {name: np.ones(shape, kind) for name, (kind, shape) in kinds.items()}
        plain = nxn.VectorEnv("3x3", n, seed=6)
        others = [nxn.VectorEnv("3x3", n, seed=6, num_threads=3), nxn.VectorEnv("3x3", n, seed=6, copy=False),
                  nxn.VectorEnv("3x3", n, seed=6, buffers=mine), nxn.VectorEnv("3x3", n, seed=6, buffers={
                      "obs": mine["obs"].copy()}, num_threads=2)]
        others.append(copy.copy(others[0]))
        others.append(pickle.loads(pickle.dumps(others[2])))
        kept, info = plain.reset()
        for envs in others:
            np.testing.assert_array_equal(envs.reset()[0], kept)
        for k in range(60):
            moves = random_moves(np.random.default_rng(k), info["action_mask"])
            wanted = plain.step(moves)
            info = wanted[4]
            for i, envs in enumerate(others):
                got = envs.step(moves.astype((np.uint8, np.int64, np.int32)[(k + i) % 3]))
                for one, other in zip((*got[:4], *got[4].values()), (*wanted[:4], *wanted[4].values())):
                    np.testing.assert_array_equal(one, other)
        self.assertTrue(wanted[4]["score"].any())
        # Reused arrays are the same ones, and the caller's are these.
        again = others[1].step(moves)
        self.assertTrue(all(one is other for one, other in zip(again[:4], others[1].step(moves)[:4])))
        obs, rewards, over, _, info = others[2].step(moves)
        for name, array in {"obs": obs, "rewards": rewards, "terminations": over, **info}.items():
            self.assertIs(array, mine.get(name, array))
        self.assertIsNot(others[-1].step(moves)[0], mine["obs"])

    def test_spawn_rule_and_start(self):
        envs = nxn.VectorEnv("2x3", 4, seed=1, spawn="4:1", start_tiles=3)
        obs, _ = envs.reset()
        self.assertTrue(np.all(np.sort(obs.reshape(4, 6), axis=1) == [0, 0, 0, 2, 2, 2]))
        obs, _ = nxn.VectorEnv(None, 2, start="0,2/4,8").reset()
        np.testing.assert_array_equal(obs[1], [[0, 1], [2, 3]])


class Boards(unittest.TestCase):
    def test_moves(self):
        board = nxn.Board("2,2,4/0,0,8")
        self.assertEqual(board.tiles.tolist(), [[2, 2, 4], [0, 0, 8]])
        self.assertEqual(board.legal, [nxn.RIGHT, nxn.DOWN, nxn.LEFT])
        after, reward = board.move(nxn.LEFT)
        self.assertEqual((str(after), reward), ("4,4,0/8,0,0", 4))
        self.assertEqual(str(after.place(1, 2, 1)), "4,4,0/8,0,2")
        self.assertEqual(board, nxn.Board(np.array([[1, 1, 2], [0, 0, 3]])))
        self.assertEqual(len({board, nxn.Board("2,2,4/0,0,8")}), 1)
        self.assertEqual(board.canonical(), nxn.Board("0,0,8/2,2,4").canonical())

    def test_batches_are_like_single_positions(self):
        envs = nxn.VectorEnv("5x2", 20, seed=1)
        obs, info = envs.reset()
        many = envs.game.moves(obs.reshape(4, 5, 5, 2))
        self.assertEqual(many.after.shape, (4, 5, 4, 5, 2))
        np.testing.assert_array_equal(many.mask.reshape(20, 4), info["action_mask"])
        one = envs.game.moves(obs[7])
        np.testing.assert_array_equal(one.after, many.after.reshape(20, 4, 5, 2)[7])
        np.testing.assert_array_equal(one.reward, many.reward.reshape(20, 4)[7])

    def test_perft_of_the_vectors(self):
        with open(os.path.join(os.environ["VECTORS"], "perft.txt"), encoding="ascii") as file:
            rows = [line.split() for line in file if not line.startswith("#")]
        rows = [row for row in rows if "1" not in row[0] and int(row[3]) < 2000]
        self.assertGreater(len(rows), 20)
        for row in rows:
            self.assertEqual(list(nxn.Board(row[1]).perft(int(row[2]))), [int(x) for x in row[3:]])

    def test_playouts(self):
        game = nxn.Game("2x2")
        points, moves = game.playouts(np.tile(game.read("2,2/0,0"), (64, 1, 1)))
        self.assertEqual(points.shape, (64,))
        self.assertTrue((moves > 0).all() and (points % 4 == 0).all())


class Players(unittest.TestCase):
    def test_answers(self):
        agent = nxn.Agent("greedy")
        obs = np.array([[[1, 1], [0, 3]], [[1, 2], [3, 4]]], np.uint8)
        np.testing.assert_array_equal(agent.act(obs), [nxn.RIGHT, 0])
        self.assertEqual(agent.act(nxn.Board("2,2/0,8")), nxn.RIGHT)
        values = agent.values(obs)
        self.assertTrue(np.isnan(values[1]).all() and values.shape == (2, 4))
        chances = agent.policy(obs)
        np.testing.assert_allclose(chances.sum(axis=1), [1, 0])

    def test_learners(self):
        learner = nxn.Agent("qlearn", "2x3")
        learner.train(300, seed=1)
        path = os.path.join(os.getcwd(), "learned")
        learner.save(path)
        np.testing.assert_array_equal(nxn.Agent(f"qlearn:{path}", "2x3").play(20).score,
                                      learner.play(20).score)
        learner.train(300, seed=1)
        learner.save(path)  # the same learner, trained further

    def test_models_replace_models_of_their_learner_only(self):
        learner = nxn.Agent("qlearn", "2x3")
        learner.train(3, seed=1)
        other = nxn.Agent("qlearn", "2x2")
        other.train(3, seed=1)
        other.save("other-board")
        for name, content in [("notes.tsv", b"a\tb\n1\t2\n"), ("other-board", None)]:
            if content:
                with open(name, "wb") as file:
                    file.write(content)
            with open(name, "rb") as file:
                before = file.read()
            with self.assertRaisesRegex(nxn.Error, f"^{name}: .*replaced only by a model of the same learner"):
                learner.save(name)
            with open(name, "rb") as file:
                self.assertEqual(file.read(), before)
        open("empty", "wb").close()
        learner.save("empty")
        # Another process, such as nxn train, that has the model.
        with open("empty.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with self.assertRaisesRegex(nxn.Error, "^empty: another process is writing this file"):
                learner.save("empty")


    def test_untrained_learners_are_refused(self):
        """The words of `nxn compare`."""
        says = ("qlearn has not been trained: do that by 'nxn train qlearn --board 2x3 --time-budget 1m --out "
                "FILE' and name qlearn:FILE, or allow it with untrained=True")
        learner, free = nxn.Agent("qlearn", "2x3"), nxn.Agent("qlearn", untrained=True)
        envs = nxn.VectorEnv("2x3", 2, seed=1)
        obs, _ = envs.reset()
        for asked in (lambda who: who.act(obs), lambda who: who.values(obs), lambda who: who.decide(obs),
                      lambda who: who.policy(obs), envs.act):
            with self.assertRaises(nxn.Error) as caught:
                asked(learner)
            self.assertIn(says, str(caught.exception))
            asked(free)
        for wrong in (lambda: learner.play(3), lambda: nxn.exact("2x3", "qlearn")):
            with self.assertRaisesRegex(nxn.Error, "has not been trained"):
                wrong()
        learner.train(50)
        # What it has learned also plays on a board that was made anew, of the same rules.
        np.testing.assert_array_equal(envs.act(learner), learner.act(obs))

    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_fork(self):
        """A child uses objects from before the fork, ends, and takes nothing from its parent."""
        with open("first.py", "w", encoding="ascii") as program:
            program.write(UPWARDS)
        agent = nxn.Agent(f"external:{sys.executable} first.py", "2x2")
        board, envs = nxn.Board("0,2/2,0"), nxn.VectorEnv("2x2", 2, seed=1)
        many = nxn.VectorEnv("3x3", 300, seed=1, num_threads=2)
        moves = np.full(300, 2)
        many.reset()
        envs.reset()
        many.step(moves)
        wanted = agent.act(board)
        child = os.fork()
        if child == 0:
            fine = False
            try:
                fine = agent.act(board) == wanted and (copy.copy(envs).step([0, 0])[0] == envs.step([0, 0])[0]).all()
                fine = fine and (copy.copy(many).step(moves)[0] == many.step(moves)[0]).all()
                many.close()
                envs.close()
                del agent, envs, board
            finally:
                os._exit(0 if fine else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertEqual(agent.act(board), wanted)
        envs.step([0, 0])
        many.step(moves)


class Copies(unittest.TestCase):
    def test_games_boards_and_agents(self):
        game = nxn.Game("2x3", spawn="2:1", start_tiles=3)
        board = nxn.Board("2,0,4/0,0,8", game)
        agent = nxn.Agent("random", game, seed=7)
        agent.act(board)
        for way in (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))):
            twin = way(game)
            self.assertEqual((twin.shape, twin.spawn), ("2x3", "2:1"))
            self.assertEqual((nxn.VectorEnv(twin).reset()[0] > 0).sum(), 3)
            again = way(board)
            self.assertEqual(again, board)
            self.assertFalse(again.cells.flags.writeable)
            other, wanted = way(agent), nxn.Agent("random", game, seed=7)
            wanted.act(board)
            self.assertEqual([other.act(board) for _ in range(20)], [wanted.act(board) for _ in range(20)])
        del game
        self.assertEqual(str(board), "2,0,4/0,0,8")
        self.assertFalse(hasattr(board.game, "__del__"))  # which could be called twice
        board.game._close()
        board.game._close()
        with self.assertRaisesRegex(nxn.Error, "closed"):
            board.moves()
        with self.assertRaisesRegex(nxn.Error, "never made"):
            nxn.Game.__new__(nxn.Game)._handle

    def test_what_cannot_be_copied_says_so(self):
        learner = nxn.Agent("qlearn", "2x2")
        self.assertEqual(copy.copy(learner).words, "qlearn")
        learner.train(10)
        best = nxn.exact("2x2")
        self.assertIs(copy.deepcopy(best), best)
        kept = nxn.exact("2x2", path=os.path.join(os.getcwd(), "kept"))
        self.assertEqual(pickle.loads(pickle.dumps(kept)).value, kept.value)
        for says, one, ways in (("save", learner, (copy.copy, copy.deepcopy, pickle.dumps)),
                                ("path=FILE", best, (pickle.dumps,)),
                                ("Table: cannot be copied", best._table, (copy.copy, copy.deepcopy, pickle.dumps))):
            for way in ways:
                with self.assertRaises(TypeError) as caught:
                    way(one)
                self.assertIn(says, str(caught.exception))


#: A program that plays upwards; see docs/conformance.md.
UPWARDS = """
import sys
for line in sys.stdin:
    print({"hello": "hello 1 act", "new": "new"}.get(line.split()[0], "act U"), flush=True)
"""


class Exact(unittest.TestCase):
    def test_optimum(self):
        best = nxn.exact("2x2")
        self.assertAlmostEqual(best.value, exact_value("2x2", "optimal_score"), places=9)
        self.assertEqual(best.goal, "score")
        worth = best.moves(nxn.Board("2,2/0,0"))
        self.assertAlmostEqual(np.nanmax(worth), exact_value("2x2", "start_value.2,2/0,0"), places=9)
        self.assertEqual(best.act(nxn.Board("2,2/0,0")), int(np.nanargmax(worth)))

    def test_table_is_kept_and_opened(self):
        path = os.path.join(os.getcwd(), "table")
        first = nxn.exact("2x2", path=path)
        stamp = os.stat(path).st_mtime_ns
        self.assertEqual(nxn.exact("2x2", path=path).value, first.value)
        self.assertEqual(os.stat(path).st_mtime_ns, stamp)

    def test_a_table_of_other_games_is_refused(self):
        path = os.path.join(os.getcwd(), "usual")
        nxn.exact("2x2", path=path)
        for board, tiles in ((nxn.Game(None, start="2,4/8,0"), 0), ("2x2", 4)):
            with self.assertRaises(nxn.Error) as caught:
                nxn.exact(board, start_tiles=tiles, path=path)
            self.assertIn("a table of other games (", str(caught.exception))
        self.assertEqual(nxn.exact("2x2", "greedy", path=path).loss,
                         nxn.exact("2x2", "greedy", optimum=nxn.exact("2x2")).loss)

    def test_a_damaged_table_is_refused(self):
        path = os.path.join(os.getcwd(), "damaged")
        nxn.exact("2x2", path=path)
        with open(path, "r+b", buffering=0) as file:
            for at in range(0, os.path.getsize(path), 97):
                byte = os.pread(file.fileno(), 1, at)[0]
                os.pwrite(file.fileno(), bytes([byte ^ 1 << at % 8]), at)
                with self.assertRaises(nxn.Error, msg=f"byte {at}"):
                    nxn.exact("2x2", path=path).moves(nxn.Board("2,2/4,8"))
                os.pwrite(file.fileno(), bytes([byte]), at)
        self.assertFalse(np.isnan(nxn.exact("2x2", path=path).moves(nxn.Board("2,2/4,8"))).all())

    def test_exact_play(self):
        best = nxn.exact("2x3")
        random = nxn.exact("2x3", "random", optimum=best)
        self.assertAlmostEqual(random.score, exact_value("2x3", "policy.random.score"), places=8)
        self.assertAlmostEqual(random.loss, best.value - random.score, places=6)
        self.assertAlmostEqual(sum(random.max_tile.values()), 1, places=9)

    def test_interval(self):
        mean = nxn.interval([1, 2, 3, 4, 10])
        self.assertTrue(mean.low < mean.value == 4 < mean.high)
        self.assertEqual(nxn.interval([1, 2, 9], "median").value, 2)


class Errors(unittest.TestCase):
    def test_bad_input_is_one_line(self):
        envs = nxn.VectorEnv("2x2", 2, seed=1)
        envs.reset()
        game = nxn.Game("2x2")
        twos = nxn.VectorEnv("2x2", 1, spawn="2:1")
        twos.reset(seed=1)
        cases = [
            ("7x7", lambda: nxn.Game("7x7")),
            ("3:1", lambda: nxn.VectorEnv("4x4", 2, spawn="3:1")),
            ("num_envs 0", lambda: nxn.VectorEnv("4x4", 0)),
            ("seed -1", lambda: nxn.VectorEnv("4x4", 2, seed=-1)),
            ("seed 1.5", lambda: envs.reset(seed=1.5)),
            ("3 seeds", lambda: envs.reset(seed=[1, 2, 3])),
            ("seed [1]", lambda: envs.reset(seed=[[1], [2]])),
            ("seed inf", lambda: envs.reset(seed=float("inf"))),
            ("2 booleans", lambda: envs.reset(options={"reset_mask": [0, 1]})),
            ("2 booleans", lambda: envs.reset(options={"reset_mask": [True]})),
            ("no option 'resetmask'; expected 'reset_mask'", lambda: envs.reset(options={"resetmask": [True, False]})),
            ("2 booleans", lambda: envs.reset(options={"reset_mask": [False, False]})),
            ("step() before", lambda: nxn.VectorEnv("4x4", 2).step([0, 0])),
            ("expected 0 up", lambda: envs.step([0, 4])),
            ("expected 0 up", lambda: envs.step([0, -1])),
            ("expected 0 up", lambda: envs.step([0, 256])),
            ("expected 0 up", lambda: envs.step(np.array([256, 0]))),
            ("expected 0 up", lambda: envs.step(np.array([0, -1]))),
            ("expected 0 up", lambda: envs.step(np.array([0, 1 << 40], np.uint64))),
            ("action 4", lambda: envs.step(np.array([0, 4], np.uint8))),
            ("2 whole numbers", lambda: envs.step([0])),
            ("2 whole numbers", lambda: envs.step([0.0, 1.0])),
            ("render_mode", lambda: nxn.Env(render_mode="human")),
            ("num_threads 0", lambda: nxn.VectorEnv("4x4", 2, num_threads=0)),
            ("buffer 'reward': expected some of obs, rewards", lambda: nxn.VectorEnv(buffers={"reward": np.zeros(1)})),
            ("float64 and shape (1,)", lambda: nxn.VectorEnv(buffers={"rewards": np.zeros(1, np.float32)})),
            ("shape (2, 4, 4)", lambda: nxn.VectorEnv("4x4", 2, buffers={"obs": np.zeros((4, 4, 2), np.uint8).T})),
            ("shape (2,)", lambda: nxn.VectorEnv("4x4", 2, buffers={"score": [0, 0]})),
            ("character", lambda: nxn.Board("0,2/x,0")),
            ("exponent 60", lambda: nxn.Board([[60, 0], [0, 0]])),
            ("int64", lambda: nxn.Board([[-1, 0], [0, 0]])),
            ("float64", lambda: nxn.Board([[0.5, 0], [0, 0]])),
            ("(2, 3)", lambda: game.cells(np.zeros((2, 3), np.uint8))),
            ("direction 0", lambda: nxn.Board("2,4/0,0").move(nxn.UP)),
            ("not empty", lambda: nxn.Board("2,4/0,0").place(0, 0, 1)),
            ("positions: lists of different lengths", lambda: game.cells([[1, 0], [1]])),
            ("exponents", lambda: nxn.Agent("random").act([[1, 0], [1]])),
            ("whole numbers", lambda: envs.step([[0], [0, 1]])),
            ("board 5", lambda: nxn.VectorEnv(5)),
            ("board 5", lambda: nxn.Agent("random", 5)),
            ("nobody", lambda: nxn.Agent("nobody", "4x4")),
            ("nofile.nxn: No such", lambda: nxn.Agent("ntuple:nofile.nxn")),
            ("nofile.nxn: No such", lambda: nxn.Agent("expectimax:value=ntuple,file=nofile.nxn")),
            ("did you mean expectimax", lambda: nxn.Agent("expectimx")),
            ("depth", lambda: nxn.Agent("expectimax:depht=2")),
            ("NUL", lambda: nxn.Agent("ran\0dom", "4x4")),
            ("expected a board", lambda: nxn.Agent("random").play(3)),
            ("does not learn", lambda: nxn.Agent("random", "2x2").train(3)),
            ("act() before", lambda: nxn.VectorEnv("2x2", 1).act(nxn.Agent("random"))),
            ("made for 3x3", lambda: envs.act(nxn.Agent("random", "3x3"))),
            ("spawns 2:1", lambda: twos.act(nxn.Agent("random", "2x2"))),
            ("mcts", lambda: nxn.exact("2x2", "mcts")),
            ("statistic", lambda: nxn.interval([1], "mode")),
            ("number 0", lambda: nxn.interval([float("nan")])),
            ("number 0 is 1e+308", lambda: nxn.interval([1e308] * 5)),
            ("lists in it", lambda: nxn.interval([[1, 2], [3, 4]])),
            ("lists in it", lambda: nxn.interval(5)),
            ("different lengths", lambda: nxn.interval([[1, 2], [3]])),
            ("list of numbers", lambda: nxn.interval(["1", "2"])),
            ("list of numbers", lambda: nxn.interval([1j, 2])),
            ("no-such", lambda: list(nxn.read_records("no-such"))),
            ("no-such", lambda: nxn.Optimum(game, "no-such")),
        ]
        for says, wrong in cases:
            with self.subTest(says=says):
                with self.assertRaises(nxn.Error) as caught:
                    wrong()
                self.assertIn(says, str(caught.exception))
                self.assertNotIn("\n", str(caught.exception))


class Documentation(unittest.TestCase):
    def documented(self, name, one):
        """In numpy's style: what goes in and what comes out, each by name; of functions and classes."""
        text = inspect.getdoc(one) or ""
        sections = dict(re.findall(r"^(.*)\n-+\n((?:.+\n?|\n(?!.*\n-))*)", text, re.M))
        signature = inspect.signature(one)
        fields = inspect.isclass(one) and (issubclass(one, tuple) or dataclasses.is_dataclass(one))
        entries = re.findall(r"^(\S.*) : ", sections.get("Attributes" if fields else "Parameters", ""), re.M)
        described = {word.strip().lstrip("*") for entry in entries for word in entry.split(",")}
        wanted = {given for given in signature.parameters if given not in ("self", "kwargs")}
        self.assertEqual(wanted - described, set(), name)
        if not inspect.isclass(one) and signature.return_annotation not in ("None", inspect.Signature.empty):
            self.assertTrue({"Returns", "Yields"} & set(sections), name)

    def test_everything_public_says_what_goes_in_and_comes_out(self):
        for name in nxn.__all__:
            one = getattr(nxn, name)
            if not callable(one) or one is nxn.Error:
                continue
            self.documented(name, one)
            for member, function in vars(one).items() if inspect.isclass(one) else ():
                if inspect.isfunction(function) and not member.startswith("_"):
                    self.documented(f"{name}.{member}", function)

    def test_a_library_that_is_named_and_missing_is_not_replaced(self):
        said = subprocess.run([sys.executable, "-c", "import nxn"], env={**os.environ, "NXN_LIBRARY": "/none/libnxn.so.0"},
                              stderr=subprocess.PIPE, text=True, check=False).stderr
        self.assertIn("/none/libnxn.so.0", said.splitlines()[-1])

    def test_the_package_is_of_the_version_of_the_library(self):
        shutil.copytree(os.path.dirname(nxn.__file__), os.path.join("other", "nxn"))
        places = os.path.join("other", "nxn", "_places.py")
        with open(places, encoding="utf-8") as file:
            text = file.read()
        with open(places, "w", encoding="utf-8") as file:
            file.write(re.sub("VERSION = .*", 'VERSION = "9.8"', text))
        said = subprocess.run([sys.executable, "-c", "import nxn"], env={**os.environ, "PYTHONPATH": "other"},
                              stderr=subprocess.PIPE, text=True, check=False).stderr
        self.assertRegex(said.splitlines()[-1],
                         f"^ImportError: .* is of version {nxn.version()}, the package nxn of 9.8: expected the same")


if __name__ == "__main__":
    unittest.main()
