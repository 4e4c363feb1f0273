// Loads what `npm run train:voice` writes: the weights, and the lines that the local speech engine learns from.
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** The weights file. */
export const WEIGHTS_FILE = new URL('weights.bin', import.meta.url)
/** The file with what people have said about lessons, one line each. */
export const LINES_FILE = new URL('lines.txt', import.meta.url)

/** Loads the weights, one byte each. */
export function loadWeights(): Int8Array {
  return new Int8Array(brotliDecompressSync(readFileSync(WEIGHTS_FILE)))
}

/** Loads the lines, with slots for names, such as 'i taught <STUDENT> for an hour'. */
export function loadLines(): string[] {
  return readFileSync(LINES_FILE, 'utf8').trim().split('\n')
}
