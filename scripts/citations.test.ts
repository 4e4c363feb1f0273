import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brokenCitations } from './citations.ts'
import type { SourceFile } from './rooms.ts'

const documents: SourceFile[] = [
  { path: 'docs/product.md', text: '# Product\n\n## 1. Roles\n\n## 9. Limits\n\n### Tutors page (parent)\n' },
  { path: 'docs/decisions/0003-composing.md', text: '# 0003 Composing\n' },
]
const there = new Set(['ARCHITECTURE.md', 'src/main/server.ts', ...documents.map(({ path }) => path)])

function found(path: string, text: string): string[] {
  const file = { path, text }
  const isDocument = path.endsWith('.md')
  return brokenCitations(isDocument ? [...documents, file] : documents, isDocument ? [] : [file], (name) =>
    there.has(name),
  )
}

const broken: [name: string, path: string, text: string, message: RegExp][] = [
  [
    'a document that is gone',
    'src/a.ts',
    '// Twelve months (docs/limits.md).',
    /docs\/limits\.md, which isn't/,
  ],
  [
    'a document without its folder',
    'src/a.ts',
    '// Twelve months (product.md, section 9).',
    /cites product\.md/,
  ],
  [
    'a source file that is gone',
    'db/a.sql',
    '-- See src/kernel/gone.ts.',
    /src\/kernel\/gone\.ts, which isn't/,
  ],
  ['a section that is gone', 'src/a.ts', '/** docs/product.md, section 4 */', /no section "4\."/],
  ['the second of two sections', 'src/a.ts', '// (docs/product.md, sections 1 and 3).', /no section "3\."/],
  ['a title that is gone', 'db/a.sql', '-- Weeks (docs/product.md, Weeks).', /no section "Weeks"/],
  [
    'a section in a comment that wraps',
    'src/a.ts',
    '/**\n * Six (docs/product.md,\n * section 4).\n */',
    /"4\."/,
  ],
  ['a section of an unnamed document', 'src/a.ts', '// In cents (decisions, section 3).', /by its path/],
  ['a section of the design', 'src/a.ts', '// Five seconds (DESIGN\n// section 5).', /by its path/],
  ['the contract by its word', 'src/a.ts', '// Read once (contract, Environment).', /by its path/],
  [
    'a decision record that is gone',
    'src/a.ts',
    '// By hand (decision record 0004).',
    /path in docs\/decisions/,
  ],
  ['half the name of a record', 'src/a.ts', '// By hand (docs/decisions/0003).', /path in docs\/decisions/],
  [
    'a link to nowhere',
    'docs/a.md',
    'See [limits](decisions/limits.md).',
    /cites decisions\/limits\.md|links to/,
  ],
  ['a link to a missing heading', 'docs/a.md', 'See [limits](product.md#10-limits).', /#10-limits/],
]

for (const [name, path, text, message] of broken)
  test(`${name} is refused`, () => {
    const problems = found(path, text)
    assert.match(problems[0] ?? '', message)
    assert.ok(problems.every((problem) => problem.startsWith(`${path}: `)))
  })

test('citations of what is there are accepted', () => {
  assert.deepEqual(
    [
      ['src/a.ts', '// Roles (docs/product.md, sections 1 and\n// 9), as RFC 9112, section 6.3, has them.'],
      [
        'src/a.ts',
        '// In the page (docs/product.md, Tutors page). See ARCHITECTURE.md and `docs/product.md`.',
      ],
      ['src/a.ts', '// By hand (docs/decisions/0003-composing.md, decision 0003).'],
      [
        'docs/a.md',
        'See [limits](product.md#9-limits), [why](decisions/0003-composing.md), [a site](https://b.c).',
      ],
      ['docs/decisions/0003-composing.md', 'The words of product.md are fixed (`main/server.ts`).'],
      ['deploy/a.service', 'Documentation=file:/srv/tutorlog/docs/elsewhere.md'],
    ].flatMap(([path = '', text = '']) => found(path, text)),
    [],
  )
})
