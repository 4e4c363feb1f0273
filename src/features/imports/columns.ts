// Recognizes what each column contains, from its name and its cells.
import { clockOf, clockRangeOf, isDate, minutesOf, moneyOf, plainMoney, plainWords } from './cell.ts'
import { currencyOf } from '#kernel/currency.ts'
import { type Columns, type Field, FIELDS_OF, type Kind, KINDS } from './import.ts'

/** A column's names in English, German, Spanish and French, without accents, by how clearly they mean it. */
interface Contents {
  names: Partial<Record<'clear' | 'likely' | 'possible', string>>
  /** Words in a name that mean something else. */
  not?: RegExp
  /** How well a cell that isn't empty fits, from 0 to 1. */
  fit: (cell: string) => number
}

const CLARITY = { clear: 1, likely: 0.6, possible: 0.45 }
/** A column is recognized before it's known whose money is in it, so decimals are fine. */
const ANY = currencyOf('USD')
/** Just enough for a column to be recognized, if its name is exactly right. */
const FAINT = 0.12
const LEAST_SCORE = 0.1

/** Matches any of the words, which are separated by |. */
function anyWord(...lists: string[]): RegExp {
  return new RegExp(`\\b(?:${lists.join('|')})\\b`)
}

const NOT_A_NAME = anyWord(
  'email|e mail|phone|mobile|address|grade|level|age|year|school|parent|guardian',
  'mother|father|contact|first|last|user|company|count|status',
)

const NOT_A_LENGTH =
  /\b(start|end|begin|per|rate|remaining|left|balance|prepaid|travel|break|late|zone|office|(time|clock) (in|out))\b/

const CONTENTS: Record<Field, Contents> = {
  date: {
    names: {
      clear:
        'date|day|session date|lesson date|class date|start date|from date|date time|datum|tag|fecha|dia|jour',
      likely: 'when|wann|cuando|quand',
      possible: 'timestamp|start|started|starts|start time|begin|begins|from|beginn|inicio|debut',
    },
    not: anyWord(
      'birth|birthday|born|dob|geburtsdatum|geburtstag|nacimiento|naissance|end|until',
      'due|paid|payment|invoiced?|bill|billed|created|updated|modified|sent|signed',
      'expiry|expires|next',
    ),
    fit: (cell) => (isDate(cell) ? 1 : isWords(cell) ? FAINT : 0),
  },
  student: {
    names: {
      clear:
        'student|student name|child|children|pupil|kid|learner|tutee|schuler|schulerin|kind|alumno|alumna|estudiante|nino|eleve|etudiant|enfant',
      likely: 'client|customer|attendee|participant|name|who|schulername|nombre|nom|kunde|cliente',
      possible: 'project|family',
    },
    not: new RegExp(`${NOT_A_NAME.source}|\\b(tutor|teacher|instructor|coach|notes?|comments?)\\b`),
    fit: nameFit,
  },
  tutor: {
    names: {
      clear:
        'tutor|tutor name|teacher|instructor|coach|mentor|lehrer|lehrerin|lehrkraft|nachhilfelehrer|profesor|profesora|professeur|prof|enseignant',
      likely: 'provider|employee|staff',
      possible: 'user|member|consultant',
    },
    not: /\b(email|e mail|phone|mobile|address|notes?|comments?|status)\b/,
    fit: nameFit,
  },
  duration: {
    names: {
      clear:
        'duration|hours|hrs|hr|length|time spent|total time|time worked|dauer|stunden|stundenzahl|std|horas|duracion|heures|duree',
      likely: 'hour|quantity|qty',
      possible: 'time|zeit|tiempo|temps',
    },
    not: NOT_A_LENGTH,
    fit: hoursFit,
  },
  minutes: {
    names: {
      clear: 'minutes|mins|min|minuten|minutos',
      possible: 'duration|length|dauer|duracion|duree|time',
    },
    not: NOT_A_LENGTH,
    fit: minutesFit,
  },
  subject: {
    names: {
      clear: 'subject|topic|course|fach|thema|asignatura|materia|tema|curso|matiere|sujet|cours',
      likely: 'class|lesson|service|activity|skill|title|unterricht',
      possible: 'task|project|category',
    },
    fit: wordsFit,
  },
  rate: {
    names: {
      clear:
        'rate|hourly rate|rate per hour|price per hour|hourly|per hour|unit price|stundensatz|stundenlohn|preis pro stunde|tarifa|precio por hora|tarif|tarif horaire|taux horaire',
    },
    not: /\b(cost rate|tax|vat|exchange|success|per (lesson|session|class))\b/,
    fit: moneyFit,
  },
  amount: {
    names: {
      clear:
        'amount|total|price|fee|charge|charged|cost|earned|earnings|per lesson|per session|per class|betrag|preis|summe|gesamt|kosten|honorar|importe|precio|montant|prix|cout',
      likely: 'sum|value|pay',
    },
    not: anyWord(
      'cost amount|tax|vat|discount|tips?|travel|per hour|hourly|hours|hrs|time|minutes',
      'paid|balance|rate|sessions|lessons|students',
    ),
    fit: moneyFit,
  },
  start_time: {
    names: {
      clear:
        'start time|start|starts|started|start at|starts at|started at|begin|begins|begin time|time in|clock in|from|from time|time of day|arrival|arrived|beginn|startzeit|von|inicio|hora de inicio|desde|debut|heure de debut',
      likely: 'time|lesson time|session time|time slot|slot|uhrzeit|hora|heure|zeit',
      possible: 'when',
    },
    not: /\b(end|ends|ended|spent|total|worked|zone|finish|out|until)\b/,
    fit: clockFit,
  },
  end_time: {
    names: {
      clear:
        'end time|end|ends|ended|end at|ends at|ended at|finish|finish time|stop|stop time|time out|clock out|departure|left|to|to time|until|ende|endzeit|bis|fin|hora de fin|hasta|heure de fin',
    },
    not: /\b(zone)\b/,
    fit: clockFit,
  },
  summary: {
    names: {
      clear:
        'summary|lesson summary|session summary|covered|what we covered|what we did|work done|topics covered|progress|zusammenfassung|inhalt|resumen|resume',
    },
    fit: wordsFit,
  },
  homework: {
    names: { clear: 'homework|assignment|assignments|hw|hausaufgaben|hausaufgabe|deberes|tarea|devoirs' },
    fit: wordsFit,
  },
  notes: {
    names: {
      clear:
        'notes|note|comments|comment|remarks|remark|description|memo|notizen|notiz|bemerkung|bemerkungen|kommentar|notas|comentarios|observaciones|remarques|commentaire|commentaires',
      likely: 'feedback|details|observations',
    },
    fit: wordsFit,
  },
  reason: {
    names: {
      clear: 'reason|charge type|kind|category|grund|art|kategorie|motivo|categoria|motif|categorie',
      likely: 'type|typ|tipo',
    },
    not: /\b(session|lesson|class|payment)\b/,
    fit: wordsFit,
  },
  label: {
    names: {
      clear:
        'for|what for|what it s for|description|details|item|memo|notes|note|comment|purpose|particulars|zweck|verwendungszweck|beschreibung|bezeichnung|notiz|concepto|descripcion|libelle|objet',
      likely: 'charge|title|text|narrative|remarks|comments',
    },
    not: /\bdispute\b/,
    fit: wordsFit,
  },
  currency: {
    names: { clear: 'currency|wahrung|moneda|devise' },
    fit: (cell) => (/^[A-Z]{3}$/.test(cell) ? 1 : 0),
  },
}

/** Units, currencies and fillers, which say nothing about what the column contains. */
const FILLERS =
  /\b(of|the|de la|de l|del|in|usd|eur|gbp|cad|aud|chf|h|hh|mm|ss|hmm|hhmm|hhmmss|decimal|rounded|actual|required|optional)\b/g
/** "Student ID", "Lesson no.", "#"; but not "Number of hours". */
const IDENTIFIER = /(?:\b(?:id|ids|uuid|guid|code|ref|reference|number|num|nr|no|index|key)\b|#)(?! of\b)/

function plainName(header: string): string {
  return plainWords(header.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '))
    .replaceAll(/\/ ?(?:h|hr|hour|std|stunde)\b/g, ' per hour ')
    .replaceAll(/[^\p{L}\p{N}#]+/gu, ' ')
    .trim()
}

function nameScore(name: string, { names, not }: Contents): number {
  if (IDENTIFIER.test(name) || not?.test(name)) return 0
  const plain = name.replaceAll(FILLERS, ' ').replaceAll(/ +/g, ' ').trim()
  const match = (known: string) => {
    if (plain === known || name === known) return 1
    // In English, the last word says what it is: "student notes" are notes.
    if (plain.endsWith(` ${known}`)) return 0.8
    return ` ${plain} `.includes(` ${known} `) ? 0.5 : 0
  }
  const scores = Object.entries(names).map(
    ([clarity, list]) =>
      CLARITY[clarity as keyof typeof CLARITY] * Math.max(...list.split('|').map((known) => match(known))),
  )
  return Math.max(...scores)
}

/** Rows that are enough to tell what a column contains. */
const SAMPLE = 200

/**
 * Recognizes columns by their names and by what their cells look like. Every column is compared with every
 * field; the best match is assigned first. A field is left out if no column matches it well enough.
 */
export function recognizeColumns(
  header: readonly string[],
  rows: readonly (readonly string[])[] = [],
  kind: Kind = 'sessions',
): Columns {
  const fields: readonly Field[] = FIELDS_OF[kind]
  const sample = rows.slice(0, SAMPLE)
  const matches = header.flatMap((name, at) => {
    const plain = plainName(name)
    const cells = sample.map((row) => row[at]?.trim() ?? '').filter(Boolean)
    return fields.map((field) => ({ field, at, score: scoreOf(plain, cells, CONTENTS[field]) }))
  })
  const columns: Columns = {}
  for (const { field, at } of matches
    .filter(({ score }) => score >= LEAST_SCORE)
    .sort((one, other) => other.score - one.score)) {
    const takenBy = fields.filter((other) => columns[other] === at)
    if (columns[field] === undefined && takenBy.every((other) => canShare(field, other))) columns[field] = at
  }
  return columns
}

/**
 * What the lines are. Amounts with words, but without any length of time, are charges. A bare list of amounts may as well
 * be of payments.
 */
export function recognizeKind(header: readonly string[], rows: readonly (readonly string[])[]): Kind {
  const lessons = recognizeColumns(header, rows)
  const { amount, reason, label } = recognizeColumns(header, rows, 'charges')
  const hasLength = [lessons.duration, lessons.minutes, lessons.start_time].some((at) => at !== undefined)
  return amount !== undefined && (reason ?? label) !== undefined && !hasLength ? 'charges' : 'sessions'
}

/** How sure we can be of a header: the total score of the columns that are recognized under it. */
export function headerScore(header: readonly string[], rows: readonly (readonly string[])[]): number {
  const scores = KINDS.map((kind) => {
    const columns = recognizeColumns(header, rows, kind)
    return FIELDS_OF[kind]
      .filter((field) => columns[field] !== undefined)
      .reduce(
        (sum, field) => sum + nameScore(plainName(header[columns[field] ?? -1] ?? ''), CONTENTS[field]),
        0,
      )
  })
  return Math.max(...scores)
}

function scoreOf(name: string, cells: readonly string[], contents: Contents): number {
  const named = nameScore(name, contents)
  if (named === 0) return 0
  // An empty column is only used if no other one matches.
  if (cells.length === 0) return named / 2
  return (named * cells.reduce((sum, cell) => sum + contents.fit(cell), 0)) / cells.length
}

/** A column such as "Start" may contain a date and a time. */
function canShare(one: Field, other: Field): boolean {
  return (one === 'date' && other === 'start_time') || (one === 'start_time' && other === 'date')
}

/** Whether a row looks like column names: it has letters, and no cell is a date, a time or a number. */
export function isHeader(cells: readonly string[]): boolean {
  return (
    cells.some((cell) => /\p{L}/u.test(cell)) &&
    !cells.some((cell) => /^[\d\p{Sc}.,:/-]+$/u.test(cell) || isDate(cell) || Boolean(clockOf(cell)))
  )
}

function isWords(cell: string): boolean {
  return (
    /[\p{L}\p{Extended_Pictographic}]/u.test(cell) &&
    !isDate(cell) &&
    !isTime(cell) &&
    minutesOf(cell, 'hours') === undefined &&
    typeof moneyOf(cell, ANY) !== 'number'
  )
}

function isTime(cell: string): boolean {
  return Boolean(clockOf(cell)) || clockRangeOf(cell) !== undefined
}

function nameFit(cell: string): number {
  if (!isWords(cell)) return 0
  return /^(?:yes|no|y|n|x|true|false|ja|nein|s[ií]|oui|non)$/i.test(cell) ? FAINT : 1
}

function wordsFit(cell: string): number {
  return isWords(cell) ? 1 : 0.3
}

// Free lessons exist, but a time tracker without rates writes 0.00 on every line.
function moneyFit(cell: string): number {
  const amount = moneyOf(plainMoney(cell).replace(/^-(?=.)/, ''), ANY)
  if (amount === undefined) return isWords(cell) ? FAINT : 0
  return amount === null || amount === 0 ? FAINT : 1
}

const CLOCK = /^\d{1,2}[:h]\d{2}(:\d{2})?$/

// 1:30 is more likely a duration than a time, 6:30 is more likely a time, and 16:30 is always a time. Time
// trackers write durations with seconds.
function hoursFit(cell: string): number {
  const minutes = minutesOf(cell, 'hours')
  if (minutes === undefined) return /^[\d.,:]+$/.test(cell) || isWords(cell) ? FAINT : 0
  const clock = CLOCK.exec(cell)
  if (clock && minutes > 240) return minutes <= (clock[1] ? 720 : 480) ? 0.4 : 0
  return minutes <= 24 * 60 ? 1 : FAINT
}

function minutesFit(cell: string): number {
  if (/^[\d.,]+$/.test(cell)) return /^\d+$/.test(cell) && Number(cell) >= 5 ? 1 : FAINT
  return CLOCK.test(cell) ? FAINT : hoursFit(cell)
}

function clockFit(cell: string): number {
  if (!isTime(cell)) return isWords(cell) ? FAINT : 0
  if (/^\d{1,2}\.\d{2}$/.test(cell)) return 0.4
  return CLOCK.test(cell) && (minutesOf(cell, 'hours') ?? 0) <= 240 ? 0.4 : 1
}
