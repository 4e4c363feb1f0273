import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOfPdf } from '#main/testing/paper.server.ts'
import { Paper } from './paper.server.ts'

/** What a reader copies out of a document with these lines. */
async function copied(lines: string[]): Promise<string> {
  const paper = new Paper({ paper: 'a4', title: 'Names', author: 'Tutorlog', now: new Date(0) })
  for (const line of lines) paper.write(line, { size: 12 })
  const file = await paper.finish(() => undefined)
  return textOfPdf(file)
}

/** Names and words with vowel signs on every side of their letter, and with letters that merge. */
const WRITTEN = {
  Thai: 'สมชาย น้ำผึ้ง กำลังใจ ปิ่น ที่นี่',
  Tamil: 'கௌரி கேசவன் ஸ்ரீ தமிழ் க்ஷேமா',
  Telugu: 'శ్రీనివాస్ లక్ష్మి కృష్ణ',
  Bengali: 'রবীন্দ্রনাথ কৌশিক শ্রী প্রিয়াঙ্কা কিশোর',
  Gujarati: 'કૃષ્ણા પ્રિયા શ્રી જ્ઞાન',
  Punjabi: 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ ਪ੍ਰਿਆ',
  Kannada: 'ಕೃಷ್ಣ ಲಕ್ಷ್ಮಿ ಶ್ರೀ ಪ್ರಿಯಾ',
  Malayalam: 'ശ്രീകുമാർ കൃഷ്ണൻ പ്രിയ കൊച്ചി ലക്ഷ്മി',
  Sinhala: 'ක්‍රිෂ්ණ ශ්‍රී ලංකා කෞෂල්‍යා',
  Georgian: 'ნინო გიორგი',
  Armenian: 'Արամ Հովհաննես',
  Amharic: 'አበበ ሰላም',
  Khmer: 'សុខា ស្រីមុំ កញ្ញា ព្រះ គ្រូ',
  Lao: 'ສົມຊາຍ ນ້ຳ ຫຼວງ ປີ່',
  Burmese: 'မြန်မာ အောင်ဆန်း ကျွန်တော် သင်္ဘော',
  Odia: 'କୃଷ୍ଣ ପ୍ରିୟା ଶ୍ରୀ',
  Hindi: 'कृष्ण प्रिया श्री किशोर क्षत्रिय',
  Arabic: 'محمد علي لا',
  Hebrew: 'שרה כהן',
  Chinese: '王小明 張偉。',
  Japanese: '佐藤さくら',
  Korean: '김민준',
  Emoji: '🎓👩‍👩‍👧 ❤️ 🇺🇸 1️⃣',
  Vietnamese: 'Việt Nguyễn',
  Greek: 'Ελένη',
  Russian: 'Анна',
}

test('text copied from a statement is what somebody wrote, in every script', async () => {
  for (const [language, line] of Object.entries(WRITTEN)) {
    // The reader used here writes some letters in their compatible form.
    const [text, expected] = [await copied([`– ${line} –`]), `– ${line} –`].map((own) =>
      own.normalize('NFKC'),
    )
    assert.equal(text?.trim(), expected, language)
  }
})
