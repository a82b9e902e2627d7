"""Recordings that espeak-ng speaks."""

from __future__ import annotations

import subprocess
import wave
from pathlib import Path

import numpy as np

from touchline.pipeline.transcribe.audio import RATE


def write_wave(path: Path, samples: np.ndarray, rate: int = RATE) -> Path:
    with wave.open(str(path), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(samples.astype("<i2").tobytes())
    return path


def speak(path: Path, lines: list[tuple[float, str]], seconds: float) -> Path:
    """Speak lines at given seconds into a recording."""
    rate, _ = _said("a", path)
    track = np.zeros(round(seconds * rate), np.int16)
    for at, text in lines:
        _, sound = _said(text, path)
        start = round(at * rate)
        track[start : start + len(sound)] = sound[: len(track) - start]
    return write_wave(path, track, rate)


def _said(text: str, path: Path) -> tuple[int, np.ndarray]:
    voice = ["espeak-ng", "-v", "en-us", "-s", "130", "-w", str(path), text]
    subprocess.run(voice, check=True)
    with wave.open(str(path), "rb") as heard:
        return heard.getframerate(), np.frombuffer(heard.readframes(heard.getnframes()), "<i2")
