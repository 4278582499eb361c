// Unpacks a column of numbers: base64 of raw deflate (RFC 1951) of byte planes of differences.
//
// The words of a column (64 bits of an f64, 32 bits of a u32) are first replaced by what changes from one to the next
// (f64: exclusive or of the bits, u32: wrapping difference; the first against 0), then written as planes: the least
// significant byte of each word, then the next byte of each, and so on. Nothing is rounded: every bit comes back, the
// NaN of an absent value too.

import type { Column } from "../data";

/** Characters of base64 that are decoded at once: a multiple of four, small enough not to be felt. */
const TEXT_SLICE = 1 << 19;
/** Words that are put together between two pauses. */
const WORD_SLICE = 1 << 18;

/** Lets the page draw and hear the user. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** `name` is for messages only. */
export async function unpackFloats(text: string, column: Column, name: string): Promise<Float64Array> {
  if (column.kind === "u32") return Float64Array.from(await unpackWords(text, column, name));
  const { count } = column;
  const planes = await inflate(text, count, 8, name);
  const values = new Float64Array(count);
  // As 32-bit halves, low one first: every machine with a browser is little-endian.
  const halves = new Uint32Array(values.buffer);
  const [p0, p1, p2, p3, p4, p5, p6, p7] = split(planes, count, 8) as Eight;
  let low = 0;
  let high = 0;
  for (let start = 0; start < count; start += WORD_SLICE) {
    if (start > 0) await pause();
    const end = Math.min(start + WORD_SLICE, count);
    for (let k = start; k < end; k++) {
      low ^= p0[k]! | (p1[k]! << 8) | (p2[k]! << 16) | (p3[k]! << 24);
      high ^= p4[k]! | (p5[k]! << 8) | (p6[k]! << 16) | (p7[k]! << 24);
      halves[2 * k] = low;
      halves[2 * k + 1] = high;
    }
  }
  return values;
}

export async function unpackWords(text: string, column: Column, name: string): Promise<Uint32Array> {
  if (column.kind !== "u32") throw new Error(`column ${name}: ${column.kind} where u32 is expected`);
  const { count } = column;
  const planes = await inflate(text, count, 4, name);
  const [p0, p1, p2, p3] = split(planes, count, 4) as Four;
  const words = new Uint32Array(count);
  let word = 0;
  for (let start = 0; start < count; start += WORD_SLICE) {
    if (start > 0) await pause();
    const end = Math.min(start + WORD_SLICE, count);
    for (let k = start; k < end; k++) {
      word = (word + (p0[k]! | (p1[k]! << 8) | (p2[k]! << 16) | (p3[k]! << 24))) | 0;
      words[k] = word;
    }
  }
  return words;
}

type Four = [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
type Eight = [...Four, ...Four];

function split(planes: Uint8Array, count: number, width: number): Uint8Array[] {
  return Array.from({ length: width }, (_, k) => planes.subarray(k * count, (k + 1) * count));
}

/** The `count · width` bytes, or an error that names the column. */
async function inflate(text: string, count: number, width: number, name: string): Promise<Uint8Array> {
  const damaged = (why: string) => new Error(`column ${name}: ${why}`);
  if (!Number.isSafeInteger(count) || count < 0 || count * width > 0x7fff_ffff) throw damaged(`impossible length ${count}`);
  const bytes = new Uint8Array(count * width);
  if (count === 0) return bytes;
  const stream = new DecompressionStream("deflate-raw");
  // The writer runs beside the reader; what goes wrong there is kept and told from here, once.
  let refused: unknown = null;
  const feeding = feed(stream.writable.getWriter(), text.trim()).catch((reason: unknown) => {
    refused ??= reason;
  });
  const reader = stream.readable.getReader();
  let filled = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (filled + value.length > bytes.length) throw new Error(`more than ${bytes.length} bytes`);
      bytes.set(value, filled);
      filled += value.length;
    }
  } catch (reason) {
    refused ??= reason;
    await reader.cancel().catch(() => undefined);
  }
  await feeding;
  if (refused !== null) throw damaged(`the data is damaged (${refused instanceof Error ? refused.message : String(refused)})`);
  if (filled !== bytes.length) throw damaged(`${filled} bytes instead of ${bytes.length}`);
  return bytes;
}

async function feed(writer: WritableStreamDefaultWriter<BufferSource>, text: string): Promise<void> {
  try {
    for (let start = 0; start < text.length; start += TEXT_SLICE) {
      if (start > 0) await pause();
      await writer.write(fromBase64(text.slice(start, start + TEXT_SLICE)));
    }
    await writer.close();
  } catch (reason) {
    // Ends the reader too, which else would wait for ever.
    await writer.abort(reason).catch(() => undefined);
    throw reason;
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  let characters: string;
  try {
    characters = atob(text);
  } catch {
    throw new Error("not base64");
  }
  const bytes = new Uint8Array(characters.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = characters.charCodeAt(k);
  return bytes;
}
