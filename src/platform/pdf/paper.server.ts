// A PDF written from top to bottom: text in the brand's fonts, tables that continue across pages, a footer on every page.
import PDFDocument from 'pdfkit'
import { fontOf, lettersOf, MISSING, runsOf, type Weight } from './type.server.ts'

/** The colors of tokens.css in print. */
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

export interface Style {
  /** Points. */
  size: number
  weight?: Weight
  color?: string
  align?: 'left' | 'right'
}

export interface PaperColumn {
  header: string
  /** Points; columns without a width share what's left. */
  width?: number
  align?: 'left' | 'right'
  weight?: Weight
}

export interface PaperTable {
  columns: PaperColumn[]
  rows: string[][]
  /** The total, in bold. */
  total?: string[]
  /** Draws the exercise book's margin rule to the right of the first column. */
  hasMargin?: boolean
}

export interface Paper {
  doc: PDFKit.PDFDocument
  left: number
  width: number
  /** Where the next item goes, in points from the top of the page. */
  y: number
  /** Starts a new page unless this much room is left. */
  keep: (height: number) => void
  /** Writes one line; returns its width. */
  put: (text: string, x: number, y: number, style: Style, width?: number) => number
  /** Writes a text of any length below the last item, and moves down. */
  write: (text: string, style: Style, width?: number) => void
  wrap: (text: string, width: number, style: Style) => string[]
  /** Yields now and then, so that a long table doesn't block other requests. */
  table: (table: PaperTable) => Promise<void>
  /**
   * Writes the footers and returns the file. The footer callback learns whether any character was missing from all
   * fonts.
   */
  finish: (
    foot: (place: { page: number; pages: number; y: number; lacksLetters: boolean }) => void,
  ) => Promise<Buffer>
}

const SIZES = { a4: 'A4', letter: 'LETTER' } as const
const MARGIN = { left: 44, right: 44, top: 48, bottom: 84 }
const CELL: Style = { size: 9.5 }
const LEADING = 1.3
/** The baseline, from the top of the line: the same for every font in it. */
const ASCENT = 0.93
const GAP = 8
const PAD = 5.5

/** Opens a document with A4 or US Letter pages. */
export function openPaper(options: {
  paper: 'a4' | 'letter'
  title: string
  author: string
  now: Date
}): Paper {
  const doc = new PDFDocument({
    size: SIZES[options.paper],
    margins: { left: 0, right: 0, top: 0, bottom: 0 },
    bufferPages: true,
    lang: 'en-US',
    displayTitle: true,
    pdfVersion: '1.7',
    font: openFont(runsOf('a', 'text')[0]?.file ?? ''),
    info: {
      Title: options.title,
      Author: options.author,
      Creator: 'Tutorlog',
      Producer: 'Tutorlog',
      CreationDate: options.now,
      ModDate: options.now,
    },
  })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<Buffer>((resolve, reject) => {
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  const wrapped = new Map<string, string[]>()
  let lacksLetters = false
  const bottom = doc.page.height - MARGIN.bottom
  const use = (file: string) => doc.font(openFont(file), file)
  const pieces = (text: string, style: Style) =>
    runsOf(text, style.weight ?? 'text').map((run) => ({
      ...run,
      width: use(run.file).fontSize(style.size).widthOfString(run.text),
    }))
  const widthOf = (text: string, style: Style) =>
    pieces(text, style).reduce((sum, piece) => sum + piece.width, 0)

  const paper: Paper = {
    doc,
    left: MARGIN.left,
    width: doc.page.width - MARGIN.left - MARGIN.right,
    y: MARGIN.top,
    keep(height) {
      if (paper.y + height <= bottom) return
      doc.addPage()
      paper.y = MARGIN.top
    },
    put(text, x, y, style, width = 0) {
      const own = pieces(text, style)
      const total = own.reduce((sum, piece) => sum + piece.width, 0)
      let at = style.align === 'right' ? x + width - total : x
      lacksLetters ||= own.some((piece) => piece.text.includes(MISSING))
      for (const piece of own) {
        use(piece.file)
          .fontSize(style.size)
          .fillColor(style.color ?? INK.ink)
          .text(piece.text, at, y + style.size * ASCENT, { lineBreak: false, baseline: 'alphabetic' })
        at += piece.width
      }
      return total
    },
    write(text, style, width = paper.width) {
      for (const line of paper.wrap(text, width, style)) {
        paper.keep(style.size * LEADING)
        paper.put(line, paper.left, paper.y, style, width)
        paper.y += style.size * LEADING
      }
    },
    wrap(text, width, style) {
      // Measuring text is slow, and tables repeat the same names.
      const key = `${width} ${style.size} ${style.weight} ${text}`
      const known = wrapped.get(key)
      if (known) return known
      const lines: string[] = []
      let line = ''
      for (const word of text.split(/\s+/).flatMap((one) => broken(one, width, style))) {
        const longer = line === '' ? word : `${line} ${word}`
        if (line !== '' && widthOf(longer, style) > width) {
          lines.push(line)
          line = word
        } else line = longer
      }
      lines.push(line)
      wrapped.set(key, lines)
      return lines
    },
    async table({ columns, rows, total, hasMargin }) {
      const fixed = columns.reduce((sum, column) => sum + (column.width ?? 0), 0)
      const open = columns.filter((column) => column.width === undefined).length
      const widths = columns.map(
        (column) => column.width ?? (paper.width - fixed - GAP * (columns.length - 1)) / open,
      )
      const places = widths.map(
        (_, at) => paper.left + widths.slice(0, at).reduce((sum, width) => sum + width + GAP, 0),
      )

      const row = (cells: string[], style: Style, isHeader = false) => {
        const lines = cells.map((cell, at) =>
          paper.wrap(cell, widths[at] ?? 0, {
            ...style,
            weight: isHeader ? style.weight : (columns[at]?.weight ?? style.weight),
          }),
        )
        const height = Math.max(...lines.map((own) => own.length)) * style.size * LEADING + 2 * PAD
        if (!isHeader && paper.y + height > bottom) {
          doc.addPage()
          paper.y = MARGIN.top
          header()
        }
        lines.forEach((own, at) =>
          own.forEach((line, place) =>
            paper.put(
              line,
              places[at] ?? 0,
              paper.y + PAD + place * style.size * LEADING,
              {
                ...style,
                weight: isHeader ? style.weight : (columns[at]?.weight ?? style.weight),
                align: columns[at]?.align,
              },
              widths[at],
            ),
          ),
        )
        if (hasMargin && !isHeader)
          rule(
            paper.left + (widths[0] ?? 0) + GAP / 2,
            paper.y,
            paper.left + (widths[0] ?? 0) + GAP / 2,
            paper.y + height,
            INK.margin,
            1,
          )
        paper.y += height
        rule(paper.left, paper.y, paper.left + paper.width, paper.y, INK.line, 0.7)
      }
      const header = () =>
        row(
          columns.map((column) => column.header),
          { size: 8.5, weight: 'bold', color: INK.ink3 },
          true,
        )

      // A header must not end up alone at the bottom of a page.
      paper.keep(60)
      header()
      for (const [at, cells] of rows.entries()) {
        row(cells, CELL)
        if (at % 50 === 49) await new Promise((resolve) => setImmediate(resolve))
      }
      if (total) row(total, { ...CELL, weight: 'bold' })
    },
    async finish(foot) {
      const { start, count } = doc.bufferedPageRange()
      for (let page = 0; page < count; page++) {
        doc.switchToPage(start + page)
        foot({ page: page + 1, pages: count, y: bottom, lacksLetters })
      }
      doc.end()
      return ended
    },
  }

  function rule(x1: number, y1: number, x2: number, y2: number, color: string, width: number): void {
    doc.moveTo(x1, y1).lineTo(x2, y2).lineWidth(width).strokeColor(color).stroke()
  }

  // A word wider than its column breaks after hyphens, otherwise between letters.
  function broken(word: string, width: number, style: Style): string[] {
    if (widthOf(word, style) <= width) return [word]
    const [first = '', ...rest] = word.split(/(?<=\w-)(?=\w)/)
    if (rest.length > 0 && widthOf(first, style) <= width) return fitted([first, ...rest], width, style)
    const parts: string[] = []
    let part = ''
    for (const segment of lettersOf(word)) {
      if (part !== '' && widthOf(part + segment, style) > width) {
        parts.push(part)
        part = segment
      } else part += segment
    }
    return [...parts, part]
  }
  function fitted(pieces: string[], width: number, style: Style): string[] {
    const lines: string[] = []
    for (const piece of pieces.flatMap((one) => broken(one, width, style))) {
      const longer = `${lines.at(-1) ?? ''}${piece}`
      if (lines.length > 0 && widthOf(longer, style) <= width) lines[lines.length - 1] = longer
      else lines.push(piece)
    }
    return lines
  }
  return paper
}

// pdfkit's types don't know that it accepts an already opened font.
function openFont(file: string): string {
  return fontOf(file) as unknown as string
}
