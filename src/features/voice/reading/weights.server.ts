// The learned weights as they are committed; `npm run train:voice` writes them.
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** Where the weights are kept. */
export const WEIGHTS_FILE = new URL('weights.bin', import.meta.url)

/** The weights, one byte each. */
export function loadWeights(): Int8Array {
  return new Int8Array(brotliDecompressSync(readFileSync(WEIGHTS_FILE)))
}
