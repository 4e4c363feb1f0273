// Loads the committed weights; `npm run train:voice` writes them, and the lines the local speech engine learns from.
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** The weights file. */
export const WEIGHTS_FILE = new URL('weights.bin', import.meta.url)
/** What people have said about lessons, one per line, with slots for names: 'i taught <STUDENT> for an hour'. */
export const LINES_FILE = new URL('lines.txt', import.meta.url)

/** Loads the weights, one byte each. */
export function loadWeights(): Int8Array {
  return new Int8Array(brotliDecompressSync(readFileSync(WEIGHTS_FILE)))
}
