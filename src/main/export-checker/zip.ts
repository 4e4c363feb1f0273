// Reads a ZIP file, one file in it at a time, in chunks.
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { crc32, createInflateRaw } from 'node:zlib'

interface ZippedFile {
  name: string
  /** 0: as it is; 8: deflated. */
  method: number
  crc: number
  /** In bytes, in the ZIP and unpacked. */
  packed: number
  unpacked: number
  /** Where its own header begins. */
  at: number
}

export interface Zip {
  names: string[]
  /** A file's bytes. Throws if they're damaged. */
  read(name: string): AsyncIterable<Uint8Array>
}

const END = 0x06054b50
const LISTED = 0x02014b50
const LOCAL = 0x04034b50
/** The end record, and the longest comment that can follow it. */
const LONGEST_END = 22 + 65_535

/** Lists a ZIP's files. Throws if it isn't a ZIP, or if two of its files have the same name. */
export function openZip(path: string): Zip {
  const file = openSync(path, 'r')
  try {
    const files = listOf(file, fstatSync(file).size)
    const byName = new Map(files.map((one) => [one.name, one]))
    if (byName.size < files.length) throw new Error('two files in it have the same name')
    return {
      names: [...byName.keys()],
      read: (name) => {
        const one = byName.get(name)
        if (!one) throw new Error(`${name} is missing`)
        return unpacked(path, one)
      },
    }
  } finally {
    closeSync(file)
  }
}

function bytesAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  if (at < 0 || readSync(file, bytes, 0, length, at) < length) throw new Error('it was cut short')
  return bytes
}

function listOf(file: number, size: number): ZippedFile[] {
  const length = Math.min(size, LONGEST_END)
  const tail = bytesAt(file, size - length, length)
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end < 0 || end + 22 > tail.length || tail.readUInt32LE(end) !== END)
    throw new Error('it isn’t a ZIP file')
  const list = bytesAt(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12))
  const files: ZippedFile[] = []
  let at = 0
  for (let left = tail.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > list.length || list.readUInt32LE(at) !== LISTED)
      throw new Error('its list of files is damaged')
    const nameLength = list.readUInt16LE(at + 28)
    files.push({
      name: list.toString('utf8', at + 46, at + 46 + nameLength),
      method: list.readUInt16LE(at + 10),
      crc: list.readUInt32LE(at + 16),
      packed: list.readUInt32LE(at + 20),
      unpacked: list.readUInt32LE(at + 24),
      at: list.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32)
  }
  return files
}

async function* unpacked(path: string, { name, method, crc, packed, unpacked: size, at }: ZippedFile) {
  const damaged = (why: string) => new Error(`${name} is damaged: ${why}`)
  if (method !== 0 && method !== 8) throw damaged('it’s packed in an unknown way')
  const file = openSync(path, 'r')
  let start: number
  try {
    const header = bytesAt(file, at, 30)
    if (header.readUInt32LE(0) !== LOCAL) throw damaged('it isn’t where the list says')
    start = at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  } finally {
    closeSync(file)
  }
  if (packed === 0) return
  const bytes = createReadStream(path, { start, end: start + packed - 1 })
  // A stream that's piped doesn't pass its errors on.
  const inflate = createInflateRaw()
  bytes.on('error', (error) => inflate.destroy(error))
  let sum = 0
  let length = 0
  try {
    for await (const chunk of method === 8 ? bytes.pipe(inflate) : bytes) {
      sum = crc32(chunk as Uint8Array, sum)
      length += (chunk as Uint8Array).length
      yield chunk as Uint8Array
    }
  } catch (error) {
    throw damaged((error as Error).message)
  }
  if (length !== size || sum !== crc) throw damaged('its bytes don’t match their checksum')
}
