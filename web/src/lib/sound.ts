// Short wooden sounds, made here and off until wanted; a touch of vibration on phones.
import type { GameEvent } from "../generated/protocol";
import { settings } from "./settings.svelte";

let context: AudioContext | null = null;

function knock(pitch: number, at = 0, length = 0.09): void {
  context ??= new AudioContext();
  const start = context.currentTime + at;
  const tone = context.createOscillator();
  const gain = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch * 1.6, start);
  tone.frequency.exponentialRampToValueAtTime(pitch, start + 0.03);
  gain.gain.setValueAtTime(0.25, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  tone.connect(gain).connect(context.destination);
  tone.start(start);
  tone.stop(start + length);
}

const SOUNDS: Partial<Record<GameEvent["event"], () => void>> = {
  chose: () => knock(190),
  revealed: () => {
    knock(240);
    knock(300, 0.06);
  },
  round_scored: () => {
    for (const [n, pitch] of [260, 330, 390].entries()) knock(pitch, 0.1 * n, 0.14);
  },
  game_ended: () => {
    for (const [n, pitch] of [260, 330, 390, 520].entries()) knock(pitch, 0.13 * n, 0.2);
  },
  time_short: () => {
    knock(440);
    knock(440, 0.15);
  },
};

export function play(event: GameEvent, you: number | null): void {
  if (settings.sound) SOUNDS[event.event]?.();
  const mine = event.event === "time_short" && event.seat === you;
  if (settings.vibrate && (event.event === "revealed" || mine))
    navigator.vibrate?.(mine ? 200 : 20);
}
