// Which words are everyday English and which are names: a name must not be heard where an everyday word was said.
import { dictionary } from '@zxcvbn-ts/language-en'
import { namesWithNicknames } from './nickname.ts'

/** Everyday words that are first or family names as well: they count as a name only where a name must stand. */
const BOTH = new Set(
  `may hope glad honey lucky honor honour star bell faith grace storm page joy mercy eve merry candy row april june deny dawn else happy fan van do day love king long young price mark park cook green brown black white fish rich miles chance
chase hunter will grant art cliff summer autumn harmony destiny trinity charity patience prudence guy skip buck chip cash justice major prince royal noble sage sky river rain stone wood woods hill field fields lake rice butler farmer
singer fox wolf bird lamb bush banks waters ward pope monk cross law lord power powers best good little small strong sweet sharp bright wise self english french german roman paris london bond rush hall walls keys church temple castle horn
hook hammer pepper sunny moon snow winter frost burns marks means case head hand heard house way call short ball smart gold rock wall blue glass kitchen battle brothers main camp lay south north west east pack pool block post fortune hunt
brand champion link sample gross seal bull wing diamond cloud alley minor clay beard root hood sheets bacon elder ash beam blank pace petty handy keen booth crane foster cheek ransom bowling cannon ham fry hatch cotton gamble burger flood
an so see my sun chin read reading bee bay min pen sunshine cookie gates shell glory fancy doll bride pet sung son song sing man men ma he she you go to too ho in on no yes us we it sunday monday tuesday wednesday thursday friday saturday
january february march july august september october november december spring mom dad ace gay con pal`.split(
    /\s+/,
  ),
)
/** Words that are a name first wherever someone bears it: nothing that only sounds like another name is heard in them. */
const NAME_FIRST = new Set(
  `frank ray bill rose angel robin christian gray grey carter mason drew dean earl lance gene dale glen rusty sandy randy holly ivy daisy violet lily ruby pearl amber crystal jade iris heather melody victor pat sue jean rob jack nick don kit
josh matt reed brook brooke baker walker cooper knight bishop sydney georgia virginia florence austin houston dallas boston jordan asia china india israel penny cherry olive rosemary ginger potter max al ed fay kay kim mae cam val sal mel
gil tad ted bud jay dee em`.split(/\s+/),
)
const MALE =
  `james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark donald steven paul andrew joshua kenneth kevin brian george edward ronald timothy jason jeffrey ryan jacob gary nicholas eric
jonathan stephen larry justin scott brandon benjamin samuel gregory frank alexander raymond patrick jack dennis jerry tyler aaron jose adam nathan henry douglas zachary peter kyle walter ethan jeremy harold keith christian roger noah gerald carl
terry sean arthur lawrence jesse dylan bryan joe jordan billy bruce albert willie gabriel logan alan juan wayne roy ralph randy eugene vincent russell elijah louis bobby philip johnny liam oliver lucas mason ezra aiden caleb owen isaac luke levi
julian mateo wyatt carter jayden grayson leo lincoln hudson asher ezekiel connor evan eli landon jace hunter parker xavier miles roman ezequiel kai theo theodore maverick adrian nolan cameron santiago diego carlos luis angel ian austin cole chase
max simon oscar felix hugo marcus malik omar ali hassan ahmed mohammed muhammad ibrahim yusuf raj ravi arjun rohan rahul amit anil sanjay vikram kiran dev aditya krishna karthik suresh ramesh wei ming jun hiroshi kenji takashi ivan dmitri sergei
igor boris pavel nikolai viktor andrei oleg stefan lars sven erik nils johan hans klaus fritz jürgen pierre jean luc marcel rene antoine mateo javier pablo miguel rafael sergio fernando alejandro ricardo eduardo andres jorge manuel pedro francisco
marco luca matteo giovanni paolo giuseppe kwame kofi chidi emeka tunde seamus declan finn callum ewan angus rory gavin graham nigel trevor colin derek neil stuart ross craig todd brad chad brett troy travis curtis dustin shane seth blake
bennett silas jasper micah rowan declan brody gage tucker jonah tristan damian emmett preston braxton kaden hayden jaxon jaxson bentley easton beckett everett weston kingston waylon ryder axel`.split(
    /\s+/,
  )
const ALSO =
  `maya mia zoe ava isla aria layla luna nova hazel aurora penelope nora riley zoey emilia everly naomi elena aaliyah kinsley skylar madelyn serenity willow piper quinn eliana delilah josephine valentina gianna adeline lydia priya ananya
aanya diya saanvi anika meera neha pooja divya lakshmi kavita sunita fatima aisha zainab yuki sakura hana mei ling xin yan jing min zofia kasia agnieszka olga svetlana tatiana irina natasha ines lucia camila ximena daniela guadalupe siobhan niamh
saoirse aoife ciara imani nia amara zuri ngozi chioma adaeze harper addison kennedy peyton reagan mackenzie makayla kayla kaylee hailey brianna destiny jasmine jada kiara sienna freya poppy elsie olivia sophia isabella charlotte amelia evelyn
abigail emily elizabeth sofia ella madison scarlett victoria grace chloe camila penelope lily aubrey hannah lillian addison natalie stella leah savannah claire lucy paisley caroline genesis kennedy samantha jayda caitlyn jenna`.split(
    /\s+/,
  )

const RANK = new Map(dictionary['commonWords-en']?.map((word, rank) => [String(word), rank]))
const FAMILY = new Map(dictionary['lastnames-en']?.map((word, rank) => [String(word), rank]))
const GIVEN = new Set([
  ...namesWithNicknames(),
  ...MALE,
  ...ALSO,
  ...(dictionary['firstnames-en'] ?? []).map(String),
])

/** Whether a word is a first name that people bear. */
export function isGivenName(word: string): boolean {
  return GIVEN.has(word)
}

/** Whether a word means something else in most sentences, even where someone bears it as a name. */
export function isEverydayWord(word: string): boolean {
  return BOTH.has(word) || isAmong(word, 2500)
}

/** Whether a word is English at all: then no name that only sounds like it is heard in it, unless a name must stand there. */
export function isEnglishWord(word: string): boolean {
  return BOTH.has(word) || NAME_FIRST.has(word) || isAmong(word, 5000)
}

/** The list of English words comes from films, so that it holds names; the commonest words and the names that are known settle it. */
function isAmong(word: string, most: number): boolean {
  if (NAME_FIRST.has(word)) return false
  const rank = RANK.get(word) ?? Infinity
  return rank < most && !GIVEN.has(word) && !(rank > 1200 && (FAMILY.get(word) ?? Infinity) < 3000)
}

/** Whether a word is a family name before it is anything else. */
export function isFamilyName(word: string): boolean {
  return (FAMILY.get(word) ?? Infinity) < 5000 && !isEnglishWord(word)
}

/** Whether a word that is on nobody's list can be a name where a name must stand; behind a title nearly every word can. */
export function canBeName(word: string, behindTitle = false): boolean {
  if (!/^[a-z]+(?:'[a-z]{3,})?$/.test(word) || NEVER.has(word)) return false
  const isRareAndBorne = (RANK.get(word) ?? Infinity) > 8000 && (FAMILY.get(word) ?? Infinity) < 40_000
  return (
    behindTitle ||
    GIVEN.has(word) ||
    BOTH.has(word) ||
    NAME_FIRST.has(word) ||
    isRareAndBorne ||
    !isAmong(word, 30_000)
  )
}
const NEVER = new Set(
  `the a an of in on at to for with and or but so if then than that this these those it its he she they them him her his hers their we us our you your i me my mine is was are were be been being am do does did done has have had having
will would shall should can could may might must not no yes okay ok oh hey hi hello please thanks thank well just only also too very really actually sorry wait hold today tomorrow yesterday tonight morning afternoon evening night week month year day
hour minute session lesson class tutor tutoring tutored student child kid son daughter teacher coach math reading english science french spanish german history biology chemistry physics algebra geometry calculus one two three four five six seven eight
nine ten eleven twelve half quarter another other each every some any all both more less most last next first second new old good great fun hard long short little big january february march april june july august september october november december
monday tuesday wednesday thursday friday saturday sunday spring summer autumn fall winter went going got get gets getting said says say see saw seen let lets make made take took taken come came like likes want wants need needs work worked working
go do in an so see my sun read he she you too ho us we mom dad mum mommy daddy grandma grandpa wife husband sister brother brothers twins twin kids children boys girls boy girl guy man men son help homework test exam quiz prep review practice
piano violin guitar drums chess coding art music swimming tennis dance singing zoom online person home school library both free trial note notes add log record enter put down cancel delete remove show tell remind call text email everyone everybody somebody appointment office visit checkup
someone anyone nobody everything something nothing there here where when what who how why which while after before until since during about around over under again still already even ever never always sometimes usually maybe`.split(
    /\s+/,
  ),
)
