// Gets the text out of a file. Spreadsheet programs write CSV in several encodings, and people also choose
// files that aren't text.
import { plainWords } from './cell.ts'

/** One way to read a file's bytes. */
export interface Candidate {
  encoding: string
  /** Who uses the encoding. */
  name: string
  /** A few words that other encodings show differently. */
  sample: string
  text: string
}

/** A file's text; what to do if it isn't text; or candidates, if only a reader can tell which one is right. */
type TextFile = { text: string } | { advice: string } | { candidates: Candidate[] }

const THEN = 'Then choose the CSV file here.'
const ADVICE = {
  excel: `This is an Excel workbook. In Excel, choose File, Save As, and the format CSV UTF-8; in Google Sheets, choose File, Download, Comma-separated values. ${THEN}`,
  libreOffice: `This is a LibreOffice spreadsheet. In LibreOffice, choose File, Save As, and the format Text CSV. ${THEN}`,
  numbers: `This is a Numbers spreadsheet. In Numbers, choose File, Export To, CSV. ${THEN}`,
  pdf: 'This is a PDF. Save the spreadsheet it was made from as a CSV file, or copy the table and paste it below.',
  web: `This is a web page, not a CSV file. Open it in Excel and save it in the format CSV UTF-8. ${THEN}`,
  other: `This file isn't text. Save the spreadsheet as a CSV file in the program that made it. ${THEN}`,
}

const ENCODINGS = [
  ['windows-1252', 'Western European'],
  ['windows-1250', 'Central European'],
  ['macintosh', 'Mac'],
  ['windows-1254', 'Turkish'],
  ['windows-1257', 'Baltic'],
  ['windows-1251', 'Cyrillic'],
  ['windows-1253', 'Greek'],
  ['windows-1255', 'Hebrew'],
  ['windows-1256', 'Arabic'],
  ['gb18030', 'Chinese'],
  ['big5', 'Traditional Chinese'],
  ['shift_jis', 'Japanese'],
  ['euc-kr', 'Korean'],
] as const
const UTF_16 = [
  ['utf-16le', 'Unicode'],
  ['utf-16be', 'Unicode, big-endian'],
] as const

/**
 * Reads a file's text. UTF-8 is certain, and so is UTF-16 with a byte order mark. Any other encoding is
 * ambiguous: the same bytes are "Łukasz" in one and "£ukasz" in another.
 */
export function readTextFile(bytes: Uint8Array): TextFile {
  const advice = adviceFor(bytes)
  if (advice) return { advice }
  const text = decoded(bytes, encodingMarkedIn(bytes) ?? 'utf-8')
  // UTF-16 without a mark can be valid UTF-8, with a zero in almost every character.
  if (text !== undefined && !text.includes('\0'))
    return /^\s*<(?:!doctype|html|table|\?xml)/i.test(text) ? { advice: ADVICE.web } : { text }
  const candidates = candidatesFor(bytes, bytes.includes(0) ? UTF_16 : ENCODINGS)
  return candidates.length > 0 ? { candidates } : { advice: ADVICE.other }
}

function encodingMarkedIn([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

function adviceFor(bytes: Uint8Array): string | undefined {
  // ZIP files list the names of their entries at the start or at the end.
  const edges = [bytes.subarray(0, 5000), bytes.subarray(-100_000)]
  const [start = '', end = ''] = edges.map((part) => decoded(part, 'latin1') ?? '')
  if (start.slice(0, 1024).includes('%PDF-')) return ADVICE.pdf
  // The format of .xls, and of an .xlsx with a password.
  if (start.startsWith('ÐÏ\u0011à')) return ADVICE.excel
  if (!start.startsWith('PK\u0003\u0004')) return undefined
  const names = start + end
  if (names.includes('xl/')) return ADVICE.excel
  if (names.includes('vnd.oasis.opendocument')) return ADVICE.libreOffice
  return names.includes('.iwa') || names.includes('Index.zip') ? ADVICE.numbers : ADVICE.other
}

/** More choices would be hard to compare. */
const MOST_CANDIDATES = 5

function candidatesFor(bytes: Uint8Array, encodings: readonly (readonly [string, string])[]): Candidate[] {
  const readings = new Map<string, Reading>()
  for (const [encoding, name] of encodings) {
    const text = decoded(bytes, encoding)
    // No text has these control characters.
    if (text !== undefined && !/[\0-\u0008\u000E-\u001F\u0080-\u009F]/.test(text) && !readings.has(text))
      readings.set(text, { encoding, name, text, words: specialWords(text) })
  }
  const likeliest = [...readings.values()]
    .map((reading) => ({ ...reading, oddWords: reading.words.filter(isOdd).length }))
    .toSorted((one, other) => one.oddWords - other.oddWords)
    .slice(0, MOST_CANDIDATES)
  const shown = positionsToShow(likeliest)
  return likeliest.map(({ encoding, name, text, words }) => ({
    encoding,
    name,
    text,
    sample: shown.flatMap((at) => words[at] ?? []).join(', '),
  }))
}

interface Reading extends Omit<Candidate, 'sample'> {
  words: string[]
}

const SAMPLE_WORDS = 6

/** The positions of the first words, and for each two readings, of the first one in which they differ. */
function positionsToShow(readings: readonly Reading[]): number[] {
  const differences = readings.flatMap(({ words }, at) =>
    readings
      .slice(at + 1)
      .map((other) => words.findIndex((word, position) => word !== other.words[position])),
  )
  const first = Array.from({ length: SAMPLE_WORDS }, (_, at) => at)
  return [...new Set([...first, ...differences.filter((at) => at >= 0)])].toSorted(
    (one, other) => one - other,
  )
}

function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The words that aren't ASCII, or all words if there are none. */
function specialWords(text: string): string[] {
  const words = [...new Set(text.match(/[^\t\n\r ,;"|]+/g))]
  const special = words.filter((word) => /[^\0-\u007F]/.test(word))
  return special.length > 0 ? special : words
}

/** Whether a word can hardly be right, such as "£ukasz", "AndrŽ" or "Zoл". */
function isOdd(word: string): boolean {
  const letters = plainWords(word)
  return (
    (/\p{L}/u.test(word) && /[\p{S}\p{No}]/u.test(word)) ||
    /\p{Ll}\p{Lu}/u.test(word) ||
    (/[a-z]/.test(letters) && /(?!\p{Script=Latin})\p{L}/u.test(letters))
  )
}
