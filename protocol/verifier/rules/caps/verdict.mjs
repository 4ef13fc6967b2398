export const capsVerdict = () => { throw new Error("not implemented"); };
