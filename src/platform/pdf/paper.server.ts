// A PDF that's written from top to bottom: text in the brand's fonts, tables that continue across pages, and
// a footer on every page.
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { reader } from '#kernel/reader.ts'
import { fontOf, graphemesOf, MISSING, runsOf, type Weight } from './type.server.ts'

/** The colors in tokens.css, adjusted for print. */
export const INK = {
  ink: '#16232b',
  ink2: '#43525a',
  ink3: '#5a6870',
  line: '#dce2d9',
  margin: '#e9a79a',
  sunken: '#f3f5f1',
  parent: '#2650c9',
  tutor: '#0f6e4a',
  control: '#78857f',
  marker: '#ffd64a',
} as const

interface Style {
  /** Points. */
  size: number
  weight?: Weight
  color?: string
  align?: 'left' | 'right'
}

interface PaperColumn {
  header: string
  /** In points. Columns without a width share the remaining space. */
  width?: number
  align?: 'left' | 'right'
  weight?: Weight
}

interface PaperTable {
  columns: PaperColumn[]
  rows: string[][]
  total?: string[]
  /** Draws a vertical rule to the right of the first column, like the margin line in a notebook. */
  hasMargin?: boolean
}

const SIZES = { a4: 'A4', letter: 'LETTER' } as const
const MARGIN = { left: 44, right: 44, top: 48, bottom: 84 }
const CELL: Style = { size: 9.5 }
const LEADING = 1.3
/** How far the baseline is below the top of the line. The same for every font on the line. */
const ASCENT = 0.93
const GAP = 8
const PAD = 4.5
/** Flags of an annotation and of a form. */
const [PRINTED, LOCKED, HAS_SIGNATURE, APPEND_ONLY] = [4, 128, 1, 2] as const

interface PaperOptions {
  paper: 'a4' | 'letter'
  title: string
  author: string
  now: Date
}

/** How many bytes a seal takes, and when it says that it was made. */
export interface SealPlan {
  bytes: number
  at: Date
}

/** Left edge and width of each table column, in points. */
interface Place {
  column: PaperColumn
  x: number
  width: number
}

/** A document with A4 or US Letter pages. */
export class Paper {
  readonly doc: PDFKit.PDFDocument
  readonly left = MARGIN.left
  readonly width: number
  /** Where the next item goes, in points from the top of the page. */
  y: number = MARGIN.top
  readonly #bottom: number
  readonly #file: Promise<Buffer>
  readonly #wrapped = new Map<string, string[]>()
  #lacksLetters = false

  constructor({ paper, title, author, now }: PaperOptions) {
    this.doc = new PDFDocument({
      size: SIZES[paper],
      margins: { left: 0, right: 0, top: 0, bottom: 0 },
      bufferPages: true,
      lang: reader().locale,
      displayTitle: true,
      pdfVersion: '1.7',
      font: openFont(runsOf('a', 'text')[0]?.file ?? ''),
      info: {
        Title: title,
        Author: author,
        Creator: 'Tutorlog',
        Producer: 'Tutorlog',
        CreationDate: now,
        ModDate: now,
      },
    })
    this.width = this.doc.page.width - MARGIN.left - MARGIN.right
    this.#bottom = this.doc.page.height - MARGIN.bottom
    this.#file = buffer(this.doc)
  }

  /** Starts a new page if less than this much space is left. */
  keep(height: number): void {
    if (this.y + height > this.#bottom) this.#addPage()
  }

  /** Writes one line and returns its width. */
  put(text: string, x: number, y: number, style: Style, width = 0): number {
    const pieces = this.#pieces(text, style)
    const total = pieces.reduce((sum, piece) => sum + piece.width, 0)
    let at = style.align === 'right' ? x + width - total : x
    this.#lacksLetters ||= pieces.some((piece) => piece.text.includes(MISSING))
    for (const piece of pieces) {
      this.#use(piece.file)
        .fontSize(style.size)
        .fillColor(style.color ?? INK.ink)
        .text(piece.text, at, y + style.size * ASCENT, { lineBreak: false, baseline: 'alphabetic' })
      at += piece.width
    }
    return total
  }

  /** Writes text of any length below the last item, then moves down. */
  write(text: string, style: Style, width = this.width): void {
    for (const line of this.wrap(text, width, style)) {
      this.keep(style.size * LEADING)
      this.put(line, this.left, this.y, style, width)
      this.y += style.size * LEADING
    }
  }

  wrap(text: string, width: number, style: Style): string[] {
    // Measuring text is slow and tables repeat the same names, so the widths are cached.
    const key = `${width} ${style.size} ${style.weight} ${text}`
    const known = this.#wrapped.get(key)
    if (known) return known
    const lines: string[] = []
    let line = ''
    for (const word of text.split(/\s+/).flatMap((one) => this.#broken(one, width, style))) {
      const longer = line === '' ? word : `${line} ${word}`
      if (line !== '' && this.#widthOf(longer, style) > width) {
        lines.push(line)
        line = word
      } else line = longer
    }
    lines.push(line)
    this.#wrapped.set(key, lines)
    return lines
  }

  /** Writes a table that continues across pages and repeats its header on each. */
  table({ columns, rows, total, hasMargin = false }: PaperTable): void {
    const places = this.#placesOf(columns)
    const header = () => {
      const titles = columns.map((column) => column.header)
      this.#row(titles, places.map(plain), { size: 8.5, weight: 'bold', color: INK.ink3 }, false)
    }
    const row = (cells: string[], style: Style) => {
      if (this.y + this.#heightOf(cells, places, style) > this.#bottom) {
        this.#addPage()
        header()
      }
      this.#row(cells, places, style, hasMargin)
    }
    // Don't leave a header alone at the bottom of a page.
    this.keep(60)
    header()
    for (const cells of rows) row(cells, CELL)
    if (total) row(total, { ...CELL, weight: 'bold' })
  }

  /** Draws public/app-icon.svg, 28 points wide, and the name next to it. */
  logo(): void {
    const { doc, left, y } = this
    doc
      .save()
      .translate(left, y)
      .scale(28 / 96)
    doc.roundedRect(0, 0, 96, 96, 25).fill(INK.marker)
    doc.lineCap('round').lineJoin('round')
    doc.path('M29 24v36M46 24v32M63 24v46').lineWidth(9).strokeColor(INK.ink).stroke()
    doc.path('M15 52l20 19L82 27').lineWidth(19).strokeColor(INK.marker).stroke()
    doc.path('M15 52l20 19L82 27').lineWidth(10.5).strokeColor(INK.parent).stroke()
    doc.restore()
    this.put('Tutorlog', left + 36, y + 4, { size: 17, weight: 'display' })
  }

  /** Attaches a JSON file with what the paper says. It isn't compressed, so other programs find it in the bytes. */
  attach(name: string, json: string, made: Date): void {
    // pdfkit's types don't know the relationship.
    const options = {
      name,
      type: 'application/json',
      relationship: 'Data',
      creationDate: made,
      modifiedDate: made,
    }
    this.doc.compress = false
    this.doc.file(Buffer.from(json), options)
    this.doc.compress = true
  }

  /** Keeps a place for a seal, which is made when the file is done (seal.server.ts). */
  reserveSeal({ bytes, at }: SealPlan): void {
    const { doc } = this
    const { start } = doc.bufferedPageRange()
    doc.switchToPage(start)
    // Names, because they're as long as the numbers that replace them can be.
    const number = '*'.repeat(10)
    const signature = doc.ref({
      Type: 'Sig',
      Filter: 'Adobe.PPKLite',
      SubFilter: 'adbe.pkcs7.detached',
      ByteRange: [0, number, number, number],
      Contents: Buffer.alloc(bytes),
      M: at,
    })
    signature.end(undefined)
    doc.initForm()
    // An invisible field. pdfkit writes the object as a text, where it writes a string as a name.
    const name = Object('Seal') as object
    const field = { Subtype: 'Widget', FT: 'Sig', T: name, V: signature, F: PRINTED | LOCKED }
    doc.annotate(0, doc.page.height, 0, 0, field as PDFKit.Mixins.AnnotationOption)
    const form = formOf(doc)
    form.Fields = [doc.page.annotations.at(-1)]
    form.SigFlags = HAS_SIGNATURE | APPEND_ONLY
    // A viewer that draws fields anew would change a file that's signed.
    form.NeedAppearances = undefined
  }

  /**
   * Writes the footers and returns the file. `lacksLetters` is true if any character was missing from all of
   * the fonts.
   */
  async finish(
    foot: (place: { page: number; pages: number; y: number; lacksLetters: boolean }) => void,
  ): Promise<Buffer> {
    const { start, count } = this.doc.bufferedPageRange()
    for (let page = 0; page < count; page++) {
      this.doc.switchToPage(start + page)
      foot({ page: page + 1, pages: count, y: this.#bottom, lacksLetters: this.#lacksLetters })
    }
    this.doc.end()
    return this.#file
  }

  #addPage(): void {
    this.doc.addPage()
    this.y = MARGIN.top
  }

  #use(file: string): PDFKit.PDFDocument {
    return this.doc.font(openFont(file), file)
  }

  #pieces(text: string, style: Style) {
    return runsOf(text, style.weight ?? 'text').map((run) => ({
      ...run,
      width: this.#use(run.file).fontSize(style.size).widthOfString(run.text),
    }))
  }

  #widthOf(text: string, style: Style): number {
    return this.#pieces(text, style).reduce((sum, piece) => sum + piece.width, 0)
  }

  #placesOf(columns: PaperColumn[]): Place[] {
    const fixed = columns.reduce((sum, column) => sum + (column.width ?? 0), 0)
    const open = columns.filter((column) => column.width === undefined).length
    // The gap after numbers is wider, because text right next to a number would look like part of it.
    const gaps = columns.map(({ align }, at) => {
      const next = columns[at + 1]
      if (!next) return 0
      return align === 'right' && next.align !== 'right' ? 2 * GAP : GAP
    })
    const shared = (this.width - fixed - gaps.reduce((sum, gap) => sum + gap, 0)) / open
    let x = this.left
    return columns.map((column, at) => {
      const place = { column, x, width: column.width ?? shared }
      x += place.width + (gaps[at] ?? 0)
      return place
    })
  }

  #linesOf(cells: string[], places: Place[], style: Style) {
    return places.map(({ column, width }, at) =>
      this.wrap(cells[at] ?? '', width, { ...style, weight: column.weight ?? style.weight }),
    )
  }

  #heightOf(cells: string[], places: Place[], style: Style): number {
    const lines = this.#linesOf(cells, places, style).map((own) => own.length)
    return Math.max(...lines) * style.size * LEADING + 2 * PAD
  }

  #row(cells: string[], places: Place[], style: Style, hasMargin: boolean): void {
    const height = this.#heightOf(cells, places, style)
    const lines = this.#linesOf(cells, places, style)
    for (const [at, { column, x, width }] of places.entries())
      for (const [count, line] of (lines[at] ?? []).entries()) {
        const own = { ...style, weight: column.weight ?? style.weight, align: column.align }
        this.put(line, x, this.y + PAD + count * style.size * LEADING, own, width)
      }
    if (hasMargin) {
      const x = this.left + (places[0]?.width ?? 0) + GAP / 2
      this.#rule(x, this.y, x, this.y + height, INK.margin, 1)
    }
    this.y += height
    this.#rule(this.left, this.y, this.left + this.width, this.y, INK.line, 0.7)
  }

  #rule(x1: number, y1: number, x2: number, y2: number, color: string, width: number): void {
    this.doc.moveTo(x1, y1).lineTo(x2, y2).lineWidth(width).strokeColor(color).stroke()
  }

  // Breaks a word that's wider than its column. Breaks after a hyphen if possible, otherwise between letters.
  #broken(word: string, width: number, style: Style): string[] {
    if (this.#widthOf(word, style) <= width) return [word]
    const [first = '', ...rest] = word.split(/(?<=\w-)(?=\w)/)
    if (rest.length > 0 && this.#widthOf(first, style) <= width)
      return this.#fitted(
        [first, ...rest].flatMap((one) => this.#broken(one, width, style)),
        width,
        style,
      )
    return this.#fitted([...graphemesOf(word)], width, style)
  }

  /** Fits as many pieces as possible on each line. */
  #fitted(pieces: string[], width: number, style: Style): string[] {
    const lines: string[] = []
    for (const piece of pieces) {
      const longer = `${lines.at(-1) ?? ''}${piece}`
      if (lines.length > 0 && this.#widthOf(longer, style) <= width) lines[lines.length - 1] = longer
      else lines.push(piece)
    }
    return lines
  }
}

/** Drops the column's font weight, because a header cell uses its row's weight. */
function plain(place: Place): Place {
  return { ...place, column: { ...place.column, weight: undefined } }
}

// pdfkit accepts a font object, but its types don't allow one.
function openFont(file: string): string {
  return fontOf(file) as unknown as string
}

// pdfkit's types leave out the dictionary of a document's form.
function formOf(doc: PDFKit.PDFDocument): Record<string, unknown> {
  const { _root: root } = doc as unknown as {
    _root: { data: { AcroForm: { data: Record<string, unknown> } } }
  }
  return root.data.AcroForm.data
}
