// Loads the committed weights; `npm run train:voice` writes them.
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** The weights file. */
export const WEIGHTS_FILE = new URL('weights.bin', import.meta.url)

/** Loads the weights, one byte each. */
export function loadWeights(): Int8Array {
  return new Int8Array(brotliDecompressSync(readFileSync(WEIGHTS_FILE)))
}
