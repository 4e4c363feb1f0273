// Unpacks each WOFF file only once. Otherwise the subsetting library would unpack a whole table for every
// letter, and a Chinese statement would take seconds.
import { inflateSync } from 'node:zlib'

const HEADER = 44
const ENTRY = 20

/** Converts a WOFF 1.0 file to plain TrueType or OpenType. Throws if it isn't a WOFF file. */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error("This isn't a WOFF file")
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, at) => {
    const entry = HEADER + at * ENTRY
    const [start, packed, length] = [
      woff.readUInt32BE(entry + 4),
      woff.readUInt32BE(entry + 8),
      woff.readUInt32BE(entry + 12),
    ]
    const bytes = woff.subarray(start, start + packed)
    // A table is stored uncompressed if compressing would make it larger.
    return {
      tag: woff.subarray(entry, entry + 4),
      checksum: woff.readUInt32BE(entry + 16),
      data: packed < length ? inflateSync(bytes) : bytes,
    }
  })
  const head = Buffer.alloc(12 + 16 * count)
  const power = Math.floor(Math.log2(count))
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(16 * 2 ** power, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE(16 * (count - 2 ** power), 10)
  let place = head.length
  tables.forEach(({ tag, checksum, data }, at) => {
    tag.copy(head, 12 + at * 16)
    head.writeUInt32BE(checksum, 16 + at * 16)
    head.writeUInt32BE(place, 20 + at * 16)
    head.writeUInt32BE(data.length, 24 + at * 16)
    place += padded(data).length
  })
  return Buffer.concat([head, ...tables.map(({ data }) => padded(data))])
}

// Each table starts on a four-byte boundary.
function padded(data: Buffer): Buffer {
  return Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)])
}
