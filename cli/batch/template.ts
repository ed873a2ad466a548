/** A roster to start with. */
export const TEMPLATE = `athlete,screen-name,email,profile,token-file,archives,zone,since
Ana López,ana_l,,ana,,archives/ana/export_123.zip,Europe/Madrid,
Ben Okafor,,ben@example.org,,tokens/ben.txt,archives/ben-watch|archives/ben-before.csv,Europe/London,2015
`;
