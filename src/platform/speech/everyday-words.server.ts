// Reads the most common English words and their frequencies from pocketsphinx's language model, using only
// the start and end of the file. No tool can read the rest of it.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const MAGIC = 'Trie Language Model'
const RECORD_BYTES = 12
/** How many bytes at the end of the file to search for the words. */
const TAIL_BYTES = 2_000_000
/** Base of the model's logarithms. */
const LOG_BASE = Math.log(1.0001)

/** Returns a binary model's most common words. The map is empty if the file has a different format. */
export function everydayWords(file: string, most: number): Map<string, number> {
  const descriptor = openSync(file, 'r')
  try {
    const size = fstatSync(descriptor).size
    const head = slice(descriptor, 0, 64)
    if (head.toString('latin1', 0, MAGIC.length) !== MAGIC) return new Map()
    const order = head.readUInt8(MAGIC.length)
    const count = head.readUInt32LE(MAGIC.length + 1)
    // After the counts come a number and some tables that map 16 bits to a value. There are two tables for
    // each middle order and one for the last order.
    const start = MAGIC.length + 1 + 4 * order + 4 + ((order - 2) * 2 + 1) * 65_536 * 4
    const records = slice(descriptor, start, count * RECORD_BYTES)
    const words = wordsAtTheEnd(
      slice(descriptor, Math.max(0, size - TAIL_BYTES), Math.min(size, TAIL_BYTES)),
      count,
    )
    const all = words.map((word, index): [string, number] => [
      word,
      Math.exp(records.readFloatLE(index * RECORD_BYTES) * LOG_BASE),
    ])
    return new Map(
      all
        .filter(([word]) => /^[a-z']+$/.test(word))
        .sort(([, a], [, b]) => b - a)
        .slice(0, most),
    )
  } finally {
    closeSync(descriptor)
  }
}

// The file ends with the words, each terminated by NUL. They're preceded by their total length in bytes.
function wordsAtTheEnd(tail: Buffer, count: number): string[] {
  let from = tail.length
  for (let found = 0; from > 4 && found < count;) if (tail[--from] === 0) found += 1
  while (from > 4 && tail.readUInt32LE(from - 4) !== tail.length - from) from -= 1
  return from > 4 ? tail.toString('latin1', from).split('\0').slice(0, count) : []
}

function slice(descriptor: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, from))
}
