// Which short names go with which full names.

/** Full names of one sound, then their short forms. */
const GROUPS = `
katherine catherine kathryn katharine kathleen katarina ekaterina: kate katie kathy cathy kat kit kitty katya kath cath kay katy
elizabeth elisabeth eliza: liz lizzie lizzy beth betsy betty bess bessie eliza elle ellie libby lisa lilibeth liza
william willem: will bill billy willy willie liam
robert roberto: rob bob bobby robbie bert robby
richard ricardo: rick ricky dick rich richie rico
james jaime: jim jimmy jamie jem
john jonathan johnathan: jon johnny jack jonny
michael mikhail miguel: mike mikey mick mickey misha
david: dave davey davy
daniel: dan danny dani
danielle daniela daniella: dani dany elle ella
thomas tomas: tom tommy
christopher kristopher: chris kit topher christo
christine christina kristina kristin kristen kirsten: chris chrissy christy kris kristy tina christie kristi
nicholas nicolas nikolai nicolaus: nick nicky nico niko kolya
nicole nicola: nicky nikki nic nik
benjamin: ben benny benji benjy
benedict bennett: ben benny
joseph jose: joe joey jo pepe
josephine: jo josie josey
joshua: josh
matthew mathew matteo mateo: matt matty
anthony antonio anton: tony ant
antonia: toni tonia
andrew andre andreas andrei: andy drew
andrea: andy andi drea
alexander alexandre aleksander alejandro alexandros: alex xander zander sasha al lex sandy alec
alexandra alexandria alejandra aleksandra: alex lexi lexie sasha sandra sandy alexa ali allie
samuel: sam sammy
samantha: sam sammy sammie
edward eduardo: ed eddie ted teddy ned
theodore: theo ted teddy
edmund edwin: ed eddie
charles carlos: charlie chuck chas charley
charlotte: charlie lottie char lotte
henry enrique: hank harry hal
harold: harry hal
harrison: harry
george: georgie
margaret margarita: maggie meg peggy marge margie greta maggy rita megan daisy
patricia: pat patty trish tricia patti
patrick: pat paddy rick
jennifer: jen jenny jenn jenna
jessica: jess jessie jessy
rebecca rebekah: becky becca bec beck
deborah debra: deb debbie
susan susanna suzanne: sue susie suzy suzie sukie
barbara: barb barbie babs
dorothy dorothea: dot dottie dolly thea dory
victoria: vicky vickie tori vicki vic
victor: vic
abigail: abby abbie gail abi
amanda: mandy manda
pamela: pam pammy
cynthia: cindy cindi
sandra: sandy
stephanie stefanie: steph stephie steffi
stephen steven stefan: steve stevie steph
gregory: greg
geoffrey jeffrey jeffery: geoff jeff
kenneth: ken kenny
ronald: ron ronnie
donald: don donny donnie
timothy: tim timmy
lawrence laurence lorenzo: larry laurie
laura lauren laurel: laurie lori lauri
gerald gerard: gerry jerry
jeremy jeremiah jerome: jerry jem
leonard leonardo leo: leo len lenny leon
nathaniel nathan: nate nat nathan
zachary zachariah: zach zack zac zak
frederick frederic federico: fred freddie freddy rick
francis francisco franklin: frank frankie fran paco
frances francesca: fran frannie frankie franny francie chess
philip phillip: phil pip
peter pedro: pete petey
raymond: ray
vincent: vince vinny vin
walter: walt wally
albert alberto: al bert albie
alfred: alf alfie fred al
allison alison alyson: allie ali ally
alice alicia: allie ali
arthur arturo: art artie
eugene: gene
gabriel: gabe gabby
gabrielle gabriela gabriella: gabby gaby ella elle brie
isabella isabel isabelle isobel: bella izzy belle izzie issy ella ibby bel
olivia: liv livvy livia ollie via
oliver: ollie olly
emily emilia emmeline: em emmy emmie millie milly
emma: em emmy
madeline madeleine madelyn: maddie maddy mads
madison: maddie maddy
matilda: tilly mattie tillie
natalie natalia nataliya: nat nattie natasha tasha talia
natasha: tasha nat
victoriya: vika
valerie: val
valentina: val tina vale
veronica: ronnie roni vera nica
penelope: penny nell
eleanor elinor eleanora leonora: ellie nell nora lenny elle nellie
helen helena: nell lena nellie
ellen: ellie nell
evelyn eve evangeline: evie eve eva
genevieve: gen evie viv
vivian vivienne: viv vivi
caroline carolina carolyn: carrie caro carol lina callie
jacqueline jaclyn: jackie jacqui
jackson: jack jax
jacob jakob: jake coby
judith: judy judi
julia juliana julianna julie: jules julie juju
julian julius: jules
kimberly kimberley: kim kimmy
melissa: mel missy lissa
melanie: mel
michelle michele: shelly mich chelle shell
rachel rachael: rach rae
roberta: bobbie robbie
russell: russ rusty
sarah sara: sally sadie
sophia sofia zofia sophie: sophie soph fia zosia zosha
theresa teresa: terry tess tessa tessie terri resa
terrence terence: terry
tobias: toby
tamara: tammy tam tamar
virginia: ginny ginger
wesley: wes
winifred: winnie fred
yvonne: vonnie
anastasia: stacy ana nastya stasia asya
angela angelina: angie ang
ann anne anna annabelle annette hannah: annie nan nancy anya ann
annabel annabelle: bella belle annie
ashley: ash
bradley bradford: brad
cameron: cam
cassandra: cass cassie sandra
calvin: cal
cecilia: cece ceci celia cissy
chelsea: chels
clara clarissa: clare
clifford clifton: cliff
curtis: curt
desmond: des
dominic dominick domenico: dom nick
dmitri dmitry dimitri: dima mitya dmitriy
douglas: doug
elena: lena lenka ellie
elijah elias: eli
ethan: eth
fiona: fi
florence: flo flossie
gwendolyn: gwen
hannah: han annie
ian: iain
imogen: immy
ivan: vanya
jasmine: jas jazz
joanna joanne johanna: jo joey
jordan: jordy
kaitlyn caitlin caitlyn katelyn kaitlin: kate katie cait cat
katarzyna: kasia
leah: lee
lillian lilian liliana lily: lil lilly lily
lucas lukas luke: luke luca luc
lucy lucille lucinda lucia: lu lucy lulu
luis louis: lou louie
louise louisa luisa: lou lulu
magdalena: lena magda maggie
marcus marco marcos: mark marc
maria marie mary: molly polly mia mimi mamie mae masha
maximilian maxwell maxim maximus: max
maxine: max
meredith: mer merry
mitchell: mitch
miranda: mira randi randy
mohammed muhammad mohamed mohammad: mo
moses: mo
nancy: nan
noah: noey
norman: norm
oscar: ozzie
phoebe: phoebs
priscilla: cilla prissy
reginald: reg reggie
rosemary rosamund rosalind roseanne: rose rosie ros
ruth: ruthie
sebastian: seb bastian baz
siobhan: shiv
shannon: shan
sidney sydney: sid syd
simon: si
spencer: spence
stanley: stan
stuart stewart: stu
sylvia: syl
trevor: trev
tyler: ty
ursula: ursa
vladimir: vlad vova volodya
zoe zoey: zo
aleksei alexei alexey: alyosha lyosha
giovanni: gio gianni
guillermo: memo
ignacio: nacho
rafael raphael: rafa raf
santiago: santi
salvador salvatore: sal
xavier javier: xavi javi
rajesh rajiv rajendra rajan: raj
vikram: vik
krishna krishnan: krish
siddharth: sid
aditya: adi
abhishek: abhi
akshay: aksh
priyanka: priya
lakshmi: laksh
venkatesh venkat: venky
yusuf joseph: yusufu
isaac: ike zac
ezekiel: zeke
solomon: sol
saoirse: seer
benedict benedikt bendix: ben benny
mathilde mathilda matilde: tilly tillie tilda mattie
ottilie: tilly tillie ottie otti
teodoro teodor teodora theodora: teo theo teddy dora thea
friedrich fredrik frederica: fred freddie freddy fritz
leilani: lani lei
tobin tobiah: toby
anneliese annelise: anna annie anne liese lisa
ximena jimena: mena xime
xiomara: xio mara
guadalupe: lupe lupita
fernando fernanda: nando nanda fer
beatrice beatriz beatrix: bea bee trixie
cordelia: delia cordy
octavia: tavi tavia
arabella: bella ara
augustus augustine augustin: gus auggie augie
archibald archer: archie
barnaby barnabas: barney
bartholomew: bart barty
ignatius: iggy
leopold leonid leonidas: leo poldi lenny
montgomery: monty
percival persephone: percy
roderick rodrigo: rod roddy
wilhelmina: mina minnie willa billie
philippa: pippa pip
georgina georgiana georgia: georgie gina
henrietta harriet: hattie hetty etta
marguerite margot: maggie margo daisy
svetlana: sveta lana
agnieszka: aga
malgorzata: gosia
oluwatobi tobiloba: tobi
temitope temiloluwa: temi tope
adebayo: bayo ade
folasade: sade fola
sanjana sanjay: sanju
aishwarya: aish
abdullah abdulrahman: abdul
jedidiah: jed
thaddeus: thad tad
emmanuel emanuel manuel manuela: manny manu
ernest ernesto: ernie
rhiannon: rhi
bronwen: bron
geraldine geraldo: gerry
constance: connie
millicent mildred camilla camille amelia: millie milly
eloise: ellie lou
delilah: lila
felicity: fliss flick
konstantin constantine: kostya connie dino
`

const FULL_OF = new Map<string, Set<string>>()
const SHORT_OF = new Map<string, Set<string>>()
const SAME = new Map<string, Set<string>>()
for (const line of GROUPS.trim().split('\n')) {
  const [fulls = [], shorts = []] = line.split(':').map((part) => part.trim().split(' '))
  for (const full of fulls) {
    for (const short of shorts) {
      SHORT_OF.set(full, (SHORT_OF.get(full) ?? new Set()).add(short))
      FULL_OF.set(short, (FULL_OF.get(short) ?? new Set()).add(full))
    }
    SAME.set(full, new Set([...(SAME.get(full) ?? []), ...fulls]))
  }
}

/** Whether one of two different first names is a short form of the other, or both are of the same one. */
export function isNickname(said: string, name: string): boolean {
  if (said === name) return false
  if (SHORT_OF.get(name)?.has(said) || SHORT_OF.get(said)?.has(name)) return true
  const [one, other] = [FULL_OF.get(said), FULL_OF.get(name)]
  return one !== undefined && other !== undefined && [...one].some((full) => other.has(full))
}

/** The short forms of a first name, the commonest first; none for a name that has none. */
export function nicknamesOf(name: string): string[] {
  return [...(SHORT_OF.get(name) ?? [])]
}

/** Every name in the table, full and short. */
export function namesWithNicknames(): string[] {
  return [...SHORT_OF.keys(), ...FULL_OF.keys()]
}
