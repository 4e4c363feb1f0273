import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canBeLearned, learnableIn, namesFrom, withLearned } from './learned-name.ts'

const LACHLAN = { id: 'l', name: 'Lachlan Brooks' }
const ISLA = { id: 'i', name: 'Isla Brooks' }
const learned = (words: string, id: string) => ({
  id: words,
  words,
  student_id: id,
  tutor_id: null,
  name: '',
})

test("anyone's own name isn't learned, and neither are sentences", () => {
  for (const words of ['Lachie', 'my head', 'Ms. Brookes'])
    assert.ok(canBeLearned(words, [LACHLAN, ISLA]), words)
  for (const words of ['Isla', 'brooks', 'Isla Brooks', 'ÍSLA', 'L', '...', 'the boy with glasses'])
    assert.ok(!canBeLearned(words, [LACHLAN, ISLA]), words)
})

test('a name that was learned gives way once somebody on a list is called that', () => {
  const names = [learned('Lachie', 'l'), learned('Finn', 'l'), learned('Izzy', 'i')]
  const people = [LACHLAN, ISLA]
  assert.deepEqual(
    withLearned(people, names, [...people, { name: 'Finn Doyle' }]).map(({ alsoCalled }) => alsoCalled),
    [['Lachie'], ['Izzy']],
  )
})

test('what is learned is the choice of somebody else than the words were taken for, unless it is known', () => {
  const heard = { words: 'Lachie', id: null }
  assert.deepEqual(learnableIn(heard, 'l', []), { words: 'Lachie', id: 'l', isShared: false })
  assert.equal(learnableIn({ ...heard, id: 'l' }, 'l', []), undefined)
  assert.equal(learnableIn(heard, '', []), undefined)
  assert.equal(learnableIn({ words: null, id: null }, 'l', []), undefined)
  assert.equal(learnableIn(heard, 'l', [learned('lachie', 'l')]), undefined)
  assert.deepEqual(learnableIn(heard, 'i', [learned('lachie', 'l')]), {
    words: 'Lachie',
    id: 'i',
    isShared: true,
  })
  assert.deepEqual(
    namesFrom({ child: heard, tutor: { words: 'Bengie', id: null } }, { student_id: 'l', tutor_id: 'b' }),
    [
      { words: 'Lachie', student_id: 'l' },
      { words: 'Bengie', tutor_id: 'b' },
    ],
  )
})
