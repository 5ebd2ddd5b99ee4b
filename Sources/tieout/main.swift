print("tieout")
