import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audioFormatOf } from './audio-format.ts'

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

test('the first bytes identify the container, not its label', () => {
  assert.equal(audioFormatOf(bytes('\x1a\x45\xdf\xa3\x01')), 'webm')
  assert.equal(audioFormatOf(bytes('\0\0\0\x20ftypisom')), 'mp4')
  assert.equal(audioFormatOf(bytes('OggS\0\x02')), 'ogg')
  assert.equal(audioFormatOf(bytes('RIFF\0\0\0\0WAVEfmt ')), 'wav')
})

test('other audio formats get a different error than files that are not audio', () => {
  for (const other of ['ID3\x04', '\xff\xfb\x90', '\xff\xf1\x50', 'fLaC', '#!AMR\n', 'MThd'])
    assert.equal(audioFormatOf(bytes(other)), 'other', JSON.stringify(other))
  for (const none of ['', 'PK\x03\x04', 'RIFF\0\0\0\0AVI ', '<html>', '\x89PNG', '\0\0\0\0'])
    assert.equal(audioFormatOf(bytes(none)), undefined, JSON.stringify(none))
})
