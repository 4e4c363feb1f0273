import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lessonWordsIn } from './lesson-words.ts'

test('homework is separated from notes', () => {
  const cases: [string, string, string][] = [
    ['Maya, an hour. Homework: page 12, 3 to 9.', 'Homework: page 12, 3 to 9', 'page 12, 3 to 9'],
    [
      'Maya an hour, homework is to read chapter four',
      'homework is to read chapter four',
      'read chapter four',
    ],
    ['Maya an hour. For homework do page 12.', 'homework do page 12', 'page 12'],
    ['Maya an hour, homework page 12', 'homework page 12', 'page 12'],
    ['Maya an hour. Homework: p. 12. She was tired.', 'Homework: p. 12', 'p. 12'],
  ]
  for (const [transcript, notes, homework] of cases)
    assert.deepEqual(lessonWordsIn(transcript, notes), { summary: null, homework, notes: null }, transcript)
  assert.deepEqual(
    lessonWordsIn('Maya an hour, she was tired. Homework: page 12.', 'she was tired. Homework: page 12'),
    { summary: null, homework: 'page 12', notes: 'she was tired' },
  )
})

test('homework that was done, or helped with, stays a note', () => {
  for (const notes of [
    'homework was done',
    'Her homework is done',
    'helping with her homework',
    'no homework',
  ])
    assert.deepEqual(lessonWordsIn(`Maya an hour, ${notes}`, notes), { summary: null, homework: null, notes })
})

test('what was done in the lesson becomes the summary', () => {
  assert.deepEqual(lessonWordsIn('Maya an hour', 'we covered fractions and decimals. She was tired'), {
    summary: 'fractions and decimals',
    homework: null,
    notes: 'She was tired',
  })
})

test('finds them in Spanish, too', () => {
  assert.deepEqual(lessonWordsIn('Maya una hora con Inés. Tarea: página 12.', 'Tarea: página 12'), {
    summary: null,
    homework: 'página 12',
    notes: null,
  })
  assert.deepEqual(
    lessonWordsIn('ayer maya una hora vimos fracciones; estaba cansada', 'vimos fracciones; estaba cansada'),
    { summary: 'fracciones', homework: null, notes: 'estaba cansada' },
  )
  for (const text of ['no hizo la tarea', 'traía la tarea lista', 'ayuda con los deberes'])
    assert.deepEqual(lessonWordsIn(`maya una hora, ${text}`, text), {
      summary: null,
      homework: null,
      notes: text,
    })
})
