import type { Random } from "./random.js";

type Texts = readonly [string, ...string[]];

const words = (text: string) => text.trim().split(/\s+/) as unknown as Texts;
const characters = (text: string) => [...text] as unknown as Texts;

const givenNames = words(`
  Ann Ben Clara David Emma Felix Grace Henry Iris Jonas Katja Liam Maria Noah Olga Peter Quinn Rosa Simon Tara Ulrich
  Vera William Xenia Yusuf Zoe Andreas Bianca Carlos Diana Elias Fatima Gustav Hannah Ivan Julia Kenji Laura Marco Nina`);
const surnames = words(`
  Smith Johnson Garcia Miller Brown Kowalski Novak Rossi Silva Schmidt Dubois Jansen Larsen Ivanov Yilmaz Tanaka Nguyen
  Okafor Haddad Cohen Murphy Moreau Fischer Weber Lopez Santos Andersson Virtanen Papadopoulos Kim`);

// The first ones are the most common, as in China: see the weights below.
const chineseSurnames = characters("王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹");
const chineseGivenNames = characters(
  "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰红建国文辉力健永利清飞彬富顺信子杰浩宇轩然梓涵欣怡佳琪思远雨晨晓东小梅春燕海龙",
);

/** The nickname of a user: three in five are Chinese. */
export function nickname(random: Random): string {
  if (random.below(5) < 2) return `${random.from(givenNames)} ${random.from(surnames)}`;
  // The lesser of two numbers is more often a small one.
  const rank = Math.min(random.below(chineseSurnames.length), random.below(chineseSurnames.length));
  const second = random.below(4) === 0 ? "" : random.from(chineseGivenNames);
  return `${chineseSurnames[rank]}${random.from(chineseGivenNames)}${second}`;
}

/** The nickname that a member has in a group. */
export function nicknameInGroup(random: Random): string {
  return `${nickname(random)}${random.from([" (sales)", " (support)", "（北京）", "（上海）", " 🌿", " 2"])}`;
}
