// Checks that what comments and documents cite is in the repository: files, sections, records and links.
import type { SourceFile } from './rooms.ts'

const SOURCES =
  '(?:src|features|platform|kernel|main|db|e2e|model|proofs|scripts|bench|deploy)/[\\w./-]*\\w\\.(?:tsx?|sql|mjs)'
/** Any document, and any other file that's cited with its folder. */
const FILE = new RegExp(`(?<![\\w./$}'#-])(?:[\\w./-]*\\w\\.md|${SOURCES})\\b`, 'g')
/** A section of a document: ", section 3", ", sections 1 and 9", or a title such as ", Upgrade". */
const SECTION = /(?<![\w./$}-])([\w./-]*\w\.md),? (?:sections? (\d+)(?: and (\d+))?|([A-Z][\w ]*)(?=[.:;)]))/g
const RECORD = /\bdecisions? (?:records? )?(\d{4})\b|\bdocs\/decisions\/(\d{4})(?!-)/g
/** Documents that are cited by a word instead of a path, so that nobody can open them. */
const NAMELESS =
  /\b(?:decisions|product|contract|spec(?:ification)?|DESIGN),? sections? \d+|\((?:API )?contract[,)]/gi
const LINK = /\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g
const HEADING = /^#+ (.+)$/gm
const RECORDS = 'docs/decisions/'

/**
 * Returns every citation of something that isn't there, one per line, with the file.
 * @param documents all Markdown files
 * @param sources all files with comments
 * @param exists whether the project has a file or folder
 */
export function brokenCitations(
  documents: SourceFile[],
  sources: SourceFile[],
  exists: (path: string) => boolean,
): string[] {
  const headings = new Map(
    documents.map(({ path, text }) => [path, [...text.matchAll(HEADING)].map(([, title = '']) => title)]),
  )
  const numbers = new Set(documents.map(({ path }) => path.replace(RECORDS, '').slice(0, 4)))
  return [...documents, ...sources].flatMap((file) => {
    const text = unwrapped(file)
    return [
      ...[...text.matchAll(FILE)]
        .filter(([cited]) => !cited.startsWith('/') && !places(file.path, cited).some(exists))
        .map(([cited]) => `cites ${cited}, which isn't there`),
      ...[...text.matchAll(SECTION)].flatMap(([, cited = '', first, second, title]) => {
        const found = headings.get(places(file.path, cited).find((path) => headings.has(path)) ?? '')
        const names = [first, second].flatMap((number) => (number ? [`${number}.`] : []))
        return [...names, ...(title ? [title] : [])]
          .filter(
            (name) => found && !found.some((heading) => heading === name || heading.startsWith(`${name} `)),
          )
          .map((name) => `cites ${cited}, which has no section "${name}"`)
      }),
      ...[...text.matchAll(RECORD)]
        .filter(([, number, bare]) => bare || !numbers.has(number ?? ''))
        .map(([cited]) => `cites "${cited}". Name the record by its path in docs/decisions`),
      ...[...text.matchAll(NAMELESS)].map(
        ([cited]) => `cites "${cited}". Name the document by its path, such as docs/product.md, section 3`,
      ),
      ...(file.path.endsWith('.md') ? brokenLinks(file, headings, exists) : []),
    ].map((problem) => `${file.path}: ${problem}`)
  })
}

function brokenLinks(
  { path, text }: SourceFile,
  headings: Map<string, string[]>,
  exists: (path: string) => boolean,
): string[] {
  return [...text.matchAll(LINK)].flatMap(([, target = '', anchor]) => {
    const linked = target === '' ? path : joined(folderOf(path), target)
    if (!exists(linked)) return [`links to ${target}, which isn't there`]
    return anchor && !headings.get(linked)?.some((heading) => anchorOf(heading) === anchor)
      ? [`links to #${anchor}, which ${linked} doesn't have`]
      : []
  })
}

/** A file's text without the line breaks in its comments and paragraphs, so that no citation is split. */
function unwrapped({ text }: SourceFile): string {
  return text.replaceAll(/\n[^\S\n]*(?:\*|\/\/|--|#(?!#))?[^\S\n]+(?=\S)/g, ' ')
}

/** Where a cited file can be: in the project, in src, beside the file that cites it, or in docs. */
function places(from: string, cited: string): string[] {
  return [
    cited,
    `src/${cited}`,
    joined(folderOf(from), cited),
    ...(from.startsWith('docs/') ? [`docs/${cited}`] : []),
  ]
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function joined(folder: string, relative: string): string {
  const parts: string[] = []
  for (const part of `${folder}${relative}`.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** The anchor that code hosts give a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
