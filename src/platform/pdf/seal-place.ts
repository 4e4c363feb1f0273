// Where a PDF keeps its seal: a signature with a certificate, which PDF viewers check (docs/page-format.md).

/** The last group is the seal in hex. Before a file is sealed, there are names in place of the numbers. */
const PLACE = /\n\/ByteRange (\[0(?: [0-9]+| \/\*{10}){3}\] *)\n\/Contents <([0-9a-f]+)>\n/

interface SealPlace {
  /** Where the numbers of the covered bytes start, with their brackets and spaces, and how long they are. */
  range: { start: number; length: number }
  /** The hex digits, without the angle brackets. */
  start: number
  end: number
}

/** Finds the place in a PDF with one character for each byte. Undefined if the file has none. */
export function sealPlace(pdf: string): SealPlace | undefined {
  const found = PLACE.exec(pdf)
  const [whole, range, digits] = found ?? []
  if (!found || !whole || !range || !digits) return undefined
  const end = found.index + whole.length - '>\n'.length
  const rangeStart = found.index + '\n/ByteRange '.length
  return { range: { start: rangeStart, length: range.length }, start: end - digits.length, end }
}
