import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyReply } from 'fastify'
import fc from 'fast-check'
import { asFile } from './files.server.ts'

function headerFor(name: string): string {
  let header = ''
  const reply = {
    type: () => reply,
    header: (_name: string, value: string) => {
      header = value
    },
  }
  asFile(reply as unknown as FastifyReply, name, 'text/csv')
  return header
}

test("I13: a child's name can't add a parameter or a header", () => {
  assert.equal(
    headerFor('Statement "; filename=x.html\r\nSet-Cookie: a=b.csv'),
    'attachment; filename="Statement ; filename=x.html Set-Cookie a=b.csv"',
  )
  assert.match(
    headerFor('Łukasz Şule 田中.pdf'),
    /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[%\w.-]+$/,
  )
})

test('I13: every name makes one line of ASCII', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) =>
      assert.match(headerFor(name), /^attachment[\x20-\x7e]*$/),
    ),
  )
})
